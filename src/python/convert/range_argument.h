// Ranges as Python writes them.
#pragma once

#include <hither/kernel.h>

#include "python/bind/bindings.h"

namespace hither::python {

/// `n`, `(n, m)`, a Range or an NdRange; `(g, l)` with ranges or tuples is an NdRange. Error kType
/// or kValue for anything else.
NdRange range_argument(nb::handle key);

}  // namespace hither::python
