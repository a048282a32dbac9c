// SYCL kernels from SPIR-V, and their arguments.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <sycl/sycl.hpp>

#include "runtime/kernel_state.h"

namespace hither::drivers::sycl {

struct SyclKernel final : runtime::KernelState {
  explicit SyclKernel(::sycl::kernel k) : native(std::move(k)) {}
  const ::sycl::kernel native;
};

/// Builds the image's kernel for these devices of the context. Error kCompile with the build log.
::sycl::kernel build(const ::sycl::context& context, const std::vector<::sycl::device>& devices,
                     const target::CodeImage& image);

/// Launches `kernel` in `handler`; `report` is the address of its error record, or null.
void launch(::sycl::handler& handler, const SyclKernel& kernel, const NdRange& range,
            std::span<const std::byte> arguments, void* report);

}  // namespace hither::drivers::sycl
