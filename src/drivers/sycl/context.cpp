#include "drivers/sycl/context.h"

#include <algorithm>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/device_heap.h"
#include "drivers/sycl/kernel.h"
#include "drivers/sycl/queue.h"

namespace hither::drivers::sycl {
namespace {

/// The pool keeps freed memory up to an eighth of the device's memory, but at least this much.
constexpr size_t kLeastKept = size_t{64} << 20;

runtime::DevicePool::Siblings& all_pools() {
  static auto& pools = *new runtime::DevicePool::Siblings;
  return pools;
}

std::unique_ptr<runtime::DevicePool> make_pool(
    const ::sycl::context& context, const std::vector<std::shared_ptr<SyclDevice>>& devices) {
  std::vector<std::shared_ptr<runtime::NativeHeap>> heaps;
  for (const auto& device : devices) heaps.push_back(std::make_shared<DeviceHeap>(context, device));
  const auto bytes = std::get<int64_t>(devices[0]->facts().info.at("global_mem_size"));
  return std::make_unique<runtime::DevicePool>(
      std::move(heaps), std::max(kLeastKept, static_cast<size_t>(bytes) / 8), all_pools());
}

/// Records in shared USM.
std::shared_ptr<runtime::RecordPool> make_records(const ::sycl::context& context,
                                                  const ::sycl::device& device) {
  return std::make_shared<runtime::RecordPool>([=](size_t bytes, size_t alignment) {
    void* const chunk = ::sycl::aligned_alloc_shared(alignment, bytes, device, context);
    if (!chunk)
      throw Error(ErrorKind::kMemory, "Queue.submit",
                  "no shared USM is left for the error record of a kernel");
    return std::shared_ptr<void>(chunk, [=](void* memory) { ::sycl::free(memory, context); });
  });
}

}  // namespace

SyclContext::SyclContext(::sycl::context native, std::vector<std::shared_ptr<SyclDevice>> devices)
    : native_(std::move(native)),
      devices_(std::move(devices)),
      pool_(make_pool(native_, devices_)),
      foreign_memory_(native_, devices_),
      records_(make_records(native_, devices_[0]->native())) {}

SyclContext::~SyclContext() {
  const process::InsideLibrary inside;
  pool_.reset();
}

std::optional<size_t> SyclContext::free_bytes() const try {
  namespace info = ::sycl::ext::intel::info::device;
  const process::InsideLibrary inside;
  size_t sum = 0;
  for (const auto& device : devices_) {
    if (!device->native().has(::sycl::aspect::ext_intel_free_memory)) return std::nullopt;
    sum += device->native().get_info<info::free_memory>();
  }
  return sum;
} catch (const ::sycl::exception&) {  // needs Level Zero's system management
  return std::nullopt;
}

std::shared_ptr<runtime::KernelState> SyclContext::load(
    std::shared_ptr<const target::CodeImage> image) {
  std::vector<::sycl::device> natives;
  for (const auto& device : devices_) {
    if (!device->takes_spirv())
      throw Error(ErrorKind::kUnsupported, "load_kernel",
                  std::get<std::string>(device->facts().info.at("name")) + " (" +
                      std::get<std::string>(device->facts().info.at("platform_name")) +
                      ") cannot run hither's kernels: its OpenCL does not support SPIR-V (no "
                      "cl_khr_il_program); it supports only memory and copies");
    natives.push_back(device->native());
  }
  return std::make_shared<SyclKernel>(build(native_, natives, *image));
}

std::unique_ptr<runtime::DriverQueue> SyclContext::make_queue(
    const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
    std::shared_ptr<runtime::FailureLog> failures) {
  namespace property = ::sycl::property::queue;
  const auto& sycl_device = static_cast<const SyclDevice&>(*device);
  const auto make = [&](const ::sycl::property_list& list) {
    return ::sycl::queue(native_, sycl_device.native(), log_failures(failures), list);
  };
  return checked("Queue", [&] {
    ::sycl::queue native = properties.in_order && properties.enable_profiling
                               ? make({property::in_order(), property::enable_profiling()})
                           : properties.in_order         ? make({property::in_order()})
                           : properties.enable_profiling ? make({property::enable_profiling()})
                                                         : make({});
    return std::make_unique<SyclQueue>(std::move(native), properties, sycl_device.has_usm(),
                                       records_, std::move(failures));
  });
}

}  // namespace hither::drivers::sycl
