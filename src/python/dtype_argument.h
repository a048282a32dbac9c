// How a dtype comes from Python and goes there.
#pragma once

#include <hither/dtype.h>

#include "python/bindings.h"

namespace hither::python {

/// The dtype that `object` means: a hither dtype, a NumPy dtype or scalar type, a name ("float32",
/// "<f4"), or bool, int, float, complex. Error kType, with `where`, for anything else.
DType dtype_argument(nb::handle object, const char* where = "dtype");

/// hither.float32 and so on: one Python object a dtype, borrowed for the life of the process.
nb::handle dtype_object(DType dtype);

/// "<f4": NumPy's and SUAI's typestr, in the byte order of this machine.
std::string typestr(DType dtype);

}  // namespace hither::python
