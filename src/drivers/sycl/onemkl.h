// Loads the oneMKL plugin.
#pragma once

#include "runtime/math_library.h"
#include "runtime/sparse_library.h"

namespace hither::drivers::sycl {

/// oneMKL's BLAS for every SYCL device with USM. Null if oneMKL or hither's plugin is not
/// installed. The first call opens libhither_onemkl.so, which also has oneMKL's LAPACK and DFT
/// functions.
const runtime::Blas* onemkl_blas();
/// Its products of sparse matrices, likewise.
const runtime::SparseLibrary* onemkl_sparse();

}  // namespace hither::drivers::sycl
