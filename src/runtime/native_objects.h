// What a driver offers where other libraries of the process use the same back end library.
#pragma once

#include <memory>
#include <vector>

#include "runtime/driver.h"

namespace hither::runtime {

/// The back end library's queues and contexts (sycl::queue*, sycl::context*), of whoever made them.
/// They are copied, never kept by address. Thread-safe.
class NativeObjects {
 public:
  virtual ~NativeObjects() = default;

  /// A device, and the root device that it is or is a part of; null when hither hides it.
  struct FoundDevice {
    std::shared_ptr<DriverDevice> device, root;
  };
  struct FoundQueue {
    FoundDevice device;
    std::shared_ptr<const void> context;
    QueueProperties properties;
  };
  virtual FoundQueue look_at_queue(const void* queue) = 0;
  /// Its devices; those that hither hides are left out.
  virtual std::vector<FoundDevice> devices_of_context(const void* context) = 0;

  virtual bool same_queue(const void* a, const void* b) const = 0;
  virtual bool same_context(const void* a, const void* b) const = 0;
  /// Whether two objects stand for the same device.
  virtual bool same_device(const DriverDevice& a, const DriverDevice& b) const = 0;
  /// Whether it is the one that everyone has for this root device.
  virtual bool is_default_context(const void* context, const DriverDevice& root) const = 0;

  virtual std::unique_ptr<DriverContext> adopt_context(
      const void* context, std::span<const std::shared_ptr<DriverDevice>> devices) = 0;
  /// A shared one; see DriverQueue::share().
  virtual std::unique_ptr<DriverQueue> adopt_queue(const void* queue, DriverContext& context,
                                                   const std::shared_ptr<DriverDevice>& device,
                                                   QueueProperties properties,
                                                   std::shared_ptr<FailureLog> failures) = 0;
};

}  // namespace hither::runtime
