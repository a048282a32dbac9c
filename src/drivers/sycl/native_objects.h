// Adoption of SYCL queues and contexts that other libraries of the process have made.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "drivers/sycl/device.h"
#include "runtime/native_objects.h"

namespace hither::drivers::sycl {

class SyclObjects final : public runtime::NativeObjects {
 public:
  explicit SyclObjects(std::vector<std::shared_ptr<runtime::DriverDevice>> roots)
      : roots_(std::move(roots)) {}

  FoundQueue look_at_queue(const void* queue) override;
  std::vector<FoundDevice> devices_of_context(const void* context) override;
  bool same_queue(const void* a, const void* b) const override;
  bool same_context(const void* a, const void* b) const override;
  bool same_device(const runtime::DriverDevice& a, const runtime::DriverDevice& b) const override;
  bool is_default_context(const void* context, const runtime::DriverDevice& root) const override;
  std::unique_ptr<runtime::DriverContext> adopt_context(
      const void* context,
      std::span<const std::shared_ptr<runtime::DriverDevice>> devices) override;
  std::unique_ptr<runtime::DriverQueue> adopt_queue(
      const void* queue, runtime::DriverContext& context,
      const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
      std::shared_ptr<runtime::FailureLog> failures) override;

 private:
  FoundDevice look_at_device(const ::sycl::device& device) const;

  const std::vector<std::shared_ptr<runtime::DriverDevice>> roots_;
};

}  // namespace hither::drivers::sycl
