// hither.DirectCall, the class of functions of hither.numpy that are the same as a native function
// for most arguments.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Makes the classes hither.DirectCall and hither.DirectMethod. Instances of the second bind to the
/// object that they are an attribute of, as functions do.
nb::tuple make_direct_call_types();

}  // namespace hither::python
