// cuBLAS, opened at run time.
#pragma once

#include "drivers/cuda/api.h"
#include "runtime/math_library.h"

namespace hither::drivers::cuda {

/// Null if it is not installed or needs a newer driver.
const runtime::Blas* cublas();
/// Destroys the cuBLAS handle of a stream before the stream is destroyed. The stream's context is
/// current.
void forget_cublas(CUstream stream) noexcept;

}  // namespace hither::drivers::cuda
