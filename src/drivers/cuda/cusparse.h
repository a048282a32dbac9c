// cuSPARSE, opened at run time.
#pragma once

#include "drivers/cuda/api.h"
#include "runtime/sparse_library.h"

namespace hither::drivers::cuda {

/// Null if it is not installed or needs a newer driver.
const runtime::SparseLibrary* cusparse();
/// Destroys the cuSPARSE handle of a stream before the stream is destroyed. The stream's context is
/// current.
void forget_cusparse(CUstream stream) noexcept;

}  // namespace hither::drivers::cuda
