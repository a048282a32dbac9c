#include "drivers/sycl/native_objects.h"

#include "drivers/sycl/checked.h"
#include "drivers/sycl/context.h"
#include "drivers/sycl/queue.h"

namespace hither::drivers::sycl {
namespace {

const ::sycl::queue& queue_at(const void* queue) {
  return *static_cast<const ::sycl::queue*>(queue);
}
const ::sycl::context& context_at(const void* context) {
  return *static_cast<const ::sycl::context*>(context);
}
const ::sycl::device& native_of(const runtime::DriverDevice& device) {
  return static_cast<const SyclDevice&>(device).native();
}

}  // namespace

runtime::NativeObjects::FoundDevice SyclObjects::look_at_device(
    const ::sycl::device& device) const {
  const ::sycl::device whole = root_of(device);
  for (const auto& root : roots_) {
    if (!(native_of(*root) == whole)) continue;
    if (device == whole) return {root, root};
    return {std::make_shared<SyclDevice>(device, false), root};
  }
  return {};
}

runtime::NativeObjects::FoundQueue SyclObjects::look_at_queue(const void* queue) {
  const ::sycl::queue& native = queue_at(queue);
  return checked("SYCL queue", [&] {
    return FoundQueue{
        .device = look_at_device(native.get_device()),
        .context = std::make_shared<const ::sycl::context>(native.get_context()),
        .properties = {
            .in_order = native.is_in_order(),
            .enable_profiling = native.has_property<::sycl::property::queue::enable_profiling>()}};
  });
}

std::vector<runtime::NativeObjects::FoundDevice> SyclObjects::devices_of_context(
    const void* context) {
  return checked("SYCL context", [&] {
    std::vector<FoundDevice> found;
    for (const ::sycl::device& device : context_at(context).get_devices())
      if (FoundDevice one = look_at_device(device); one.device) found.push_back(std::move(one));
    return found;
  });
}

bool SyclObjects::same_queue(const void* a, const void* b) const {
  return queue_at(a) == queue_at(b);
}

bool SyclObjects::same_context(const void* a, const void* b) const {
  return context_at(a) == context_at(b);
}

bool SyclObjects::same_device(const runtime::DriverDevice& a,
                              const runtime::DriverDevice& b) const {
  return native_of(a) == native_of(b);
}

bool SyclObjects::is_default_context(const void* context, const runtime::DriverDevice& root) const {
  return checked("SYCL context", [&] {
    return native_of(root).get_platform().ext_oneapi_get_default_context() == context_at(context);
  });
}

std::unique_ptr<runtime::DriverContext> SyclObjects::adopt_context(
    const void* context, std::span<const std::shared_ptr<runtime::DriverDevice>> devices) {
  std::vector<std::shared_ptr<SyclDevice>> sycl_devices;
  for (const auto& device : devices)
    sycl_devices.push_back(std::static_pointer_cast<SyclDevice>(device));
  return std::make_unique<SyclContext>(context_at(context), std::move(sycl_devices));
}

std::unique_ptr<runtime::DriverQueue> SyclObjects::adopt_queue(
    const void* queue, runtime::DriverContext& context,
    const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
    std::shared_ptr<runtime::FailureLog> failures) {
  auto adopted = std::make_unique<SyclQueue>(
      queue_at(queue), properties, static_cast<const SyclDevice&>(*device).has_usm(),
      static_cast<SyclContext&>(context).records(), std::move(failures));
  adopted->interop()->share();
  return adopted;
}

}  // namespace hither::drivers::sycl
