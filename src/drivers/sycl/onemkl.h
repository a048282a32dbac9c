// oneMKL, where it is installed.
#pragma once

#include "runtime/math_library.h"

namespace hither::drivers::sycl {

/// oneMKL's BLAS for every SYCL device with USM. Null where oneMKL or our plugin for it is not
/// there. Opens libhither_onemkl.so, which has the other libraries too, at the first call.
const runtime::Blas* onemkl_blas();

}  // namespace hither::drivers::sycl
