// NVIDIA's BLAS, opened at run time.
#pragma once

#include "drivers/cuda/api.h"
#include "runtime/math_library.h"

namespace hither::drivers::cuda {

/// Null where it is not installed, or is for a newer driver.
const runtime::Blas* cublas();
/// Ends what cuBLAS has for a stream, which is about to end. With the stream's context current.
void forget_cublas(CUstream stream) noexcept;

}  // namespace hither::drivers::cuda
