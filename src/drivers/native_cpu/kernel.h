// Launches of kernels on the threads of an arena.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include <hither/error.h>
#include <hither/kernel.h>

#include "drivers/native_cpu/arena.h"
#include "runtime/kernel_state.h"

namespace hither::drivers::native_cpu {

struct CpuKernel final : runtime::KernelState {
  /// The recent time of one work-item, which determines the number of threads of a launch; 0 before
  /// the first launch. It never affects results.
  mutable std::atomic<float> nanoseconds_per_item{0};
};

/// Runs every work-item and returns when all are done; the kernel's error, if it reported one.
/// Short launches run on the calling thread alone.
std::optional<Error> run_kernel(const CpuKernel& kernel, const NdRange& range,
                                const std::byte* arguments, Arena& arena);

}  // namespace hither::drivers::native_cpu
