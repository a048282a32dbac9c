// CUDA's results as our errors.
#pragma once

#include <hither/error.h>

#include "drivers/cuda/api.h"

namespace hither::drivers::cuda {

/// libcuda's functions, where a device was found.
const Api& api() noexcept;

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700) in cuEventSynchronize: ..." of a result that is no success;
/// native_code is the result.
Error error_of(CUresult result, const char* call, const char* where);

/// Throws unless `result` is success. For calls that wait for no task, and of no context.
inline void check(CUresult result, const char* call, const char* where) {
  if (result != kSuccess) throw error_of(result, call, where);
}

/// Whether the context is lost: all that follows in it fails in the same way, and with CUDA 13 all
/// that follows in the process, in new contexts too.
bool is_sticky(CUresult result) noexcept;

}  // namespace hither::drivers::cuda
