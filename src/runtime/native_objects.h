// Optional part of the driver contract: native objects of other libraries in the process.
#pragma once

#include <memory>
#include <vector>

#include "runtime/driver.h"

namespace hither::runtime {

/// Queries and adopts queues and contexts of the back end library (sycl::queue*, sycl::context*),
/// of any origin. They are copied; their addresses are not stored. Thread-safe.
class NativeObjects {
 public:
  virtual ~NativeObjects() = default;

  /// A device and its root device, which may be the same; null if hither does not list the device.
  struct FoundDevice {
    std::shared_ptr<DriverDevice> device, root;
  };
  struct FoundQueue {
    FoundDevice device;
    std::shared_ptr<const void> context;
    QueueProperties properties;
  };
  virtual FoundQueue look_at_queue(const void* queue) = 0;
  /// The devices of a context, except those that hither does not list.
  virtual std::vector<FoundDevice> devices_of_context(const void* context) = 0;

  virtual bool same_queue(const void* a, const void* b) const = 0;
  virtual bool same_context(const void* a, const void* b) const = 0;
  /// Whether two objects represent the same device.
  virtual bool same_device(const DriverDevice& a, const DriverDevice& b) const = 0;
  /// Whether it is SYCL's default context of this root device.
  virtual bool is_default_context(const void* context, const DriverDevice& root) const = 0;

  virtual std::unique_ptr<DriverContext> adopt_context(
      const void* context, std::span<const std::shared_ptr<DriverDevice>> devices) = 0;
  /// The adopted queue is shared; see QueueInterop::share().
  virtual std::unique_ptr<DriverQueue> adopt_queue(const void* queue, DriverContext& context,
                                                   const std::shared_ptr<DriverDevice>& device,
                                                   QueueProperties properties,
                                                   std::shared_ptr<FailureLog> failures) = 0;
};

}  // namespace hither::runtime
