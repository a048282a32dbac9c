// Conversion of range arguments.
#pragma once

#include <hither/kernel.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// `n`, `(n, m)`, a Range or an NdRange; `(g, l)` with ranges or tuples is an NdRange. Error kType
/// or kValue for other objects.
NdRange range_argument(nb::handle key);

/// A Range, a tuple or a list of 1 to 3 ints, or an int. Errors as those of range_argument().
Range plain_range(nb::handle key);
/// The same for a tuple alone.
Range range_of_tuple(nb::handle key);
/// Error kValue when the dimensions differ, or a local size is 0.
NdRange with_local(const Range& global, const Range& local);

/// hither.Range and hither.NdRange, borrowed for the life of the process; bind_range() sets them.
/// Instances of subclasses are recognised too, but more slowly.
extern PyTypeObject *range_type, *nd_range_type;

}  // namespace hither::python
