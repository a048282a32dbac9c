#include "drivers/sycl/foreign_memory.h"

#include <algorithm>
#include <cstdint>

#include <CL/cl_ext.h>
#include <sycl/backend.hpp>

#include "drivers/sycl/opencl_function.h"
#include "process/exit_gate.h"

namespace hither::drivers::sycl {

/// cl_intel_unified_shared_memory, which reports the extent of an allocation; SYCL does not.
struct ForeignMemory::OpenCl {
  cl_context context = nullptr;
  decltype(&clReleaseContext) release = nullptr;
  clGetMemAllocInfoINTEL_fn info = nullptr;

  explicit OpenCl(const ::sycl::context& of) {
    auto* const find = opencl_function<decltype(clGetExtensionFunctionAddressForPlatform)>(
        "clGetExtensionFunctionAddressForPlatform");
    release = opencl_function<decltype(clReleaseContext)>("clReleaseContext");
    if (!find || !release) return;
    info = reinterpret_cast<clGetMemAllocInfoINTEL_fn>(find(
        ::sycl::get_native<::sycl::backend::opencl>(of.get_platform()), "clGetMemAllocInfoINTEL"));
    if (info) context = ::sycl::get_native<::sycl::backend::opencl>(of);  // an owned reference
  }
  ~OpenCl() {
    if (context) release(context);
  }
  OpenCl(const OpenCl&) = delete;
  OpenCl& operator=(const OpenCl&) = delete;

  template <class Value>
  bool ask(const void* pointer, cl_mem_info_intel what, Value& value) const {
    return info(context, pointer, what, sizeof value, &value, nullptr) == CL_SUCCESS;
  }
  /// Leaves the block unchanged if OpenCL does not report its extent.
  void measure(const void* pointer, runtime::Block& block) const {
    void* base = nullptr;
    size_t bytes = 0;
    if (!context || !ask(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL, base) ||
        !ask(pointer, CL_MEM_ALLOC_SIZE_INTEL, bytes) || !base || bytes == 0)
      return;
    block.data = base;
    block.bytes = bytes;
  }
};

ForeignMemory::ForeignMemory(const ::sycl::context& context,
                             const std::vector<std::shared_ptr<SyclDevice>>& devices)
    : context_(context),
      devices_(devices),
      opencl_(context.get_backend() == ::sycl::backend::opencl ? std::make_unique<OpenCl>(context)
                                                               : nullptr) {}

ForeignMemory::~ForeignMemory() = default;

std::optional<runtime::Block> ForeignMemory::find(const void* pointer) const {
  const bool has_usm = std::any_of(devices_.begin(), devices_.end(),
                                   [](const auto& device) { return device->has_usm(); });
  if (!has_usm || !pointer) return std::nullopt;
  const process::InsideLibrary inside;
  runtime::Block block{.data = const_cast<void*>(pointer), .bytes = PTRDIFF_MAX, .alignment = 1};
  try {
    switch (::sycl::get_pointer_type(pointer, context_)) {
      case ::sycl::usm::alloc::device:
        block.type = UsmType::kDevice;
        break;
      case ::sycl::usm::alloc::shared:
        block.type = UsmType::kShared;
        break;
      case ::sycl::usm::alloc::host:
        block.type = UsmType::kHost;
        break;
      default:
        return std::nullopt;
    }
    if (devices_.size() > 1) {
      const ::sycl::device owner = ::sycl::get_pointer_device(pointer, context_);
      for (size_t i = 0; i < devices_.size(); ++i)
        if (devices_[i]->native() == owner) block.device = static_cast<int>(i);
    }
  } catch (const ::sycl::exception&) {
    return std::nullopt;
  }
  if (opencl_) opencl_->measure(pointer, block);
  return block;
}

}  // namespace hither::drivers::sycl
