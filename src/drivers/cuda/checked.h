// Translation of CUDA's results to Error.
#pragma once

#include <hither/error.h>

#include "drivers/cuda/api.h"

namespace hither::drivers::cuda {

/// The functions of libcuda. Precondition: a device was found.
const Api& api() noexcept;

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700) in cuEventSynchronize: ..." for a result that is not success;
/// native_code is the result.
Error error_of(CUresult result, const char* call, const char* where);

/// Throws unless `result` is success. For calls that have no context and wait for no task.
inline void check(CUresult result, const char* call, const char* where) {
  if (result != kSuccess) throw error_of(result, call, where);
}

/// Whether the context is lost: all later calls in it fail in the same way. With CUDA 13 all later
/// calls of the process fail, in new contexts as well.
bool is_sticky(CUresult result) noexcept;

}  // namespace hither::drivers::cuda
