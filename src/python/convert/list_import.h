// Arrays from lists and tuples that hold arrays.
#pragma once

#include <hither/array.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// A list, a tuple or a range.
bool is_sequence(PyObject* object);
/// The first hither array in a sequence or its items, null if there is none. Error kValue for
/// sequences that are nested too deep, or that contain themselves.
const Array* first_array(PyObject* object, int depth = 0);
/// The items, arrays of one shape, along a new first axis; dtypes promote. Precondition:
/// first_array() found one. Error kValue where the shapes differ.
Array stack_items(nb::handle sequence, const Allocate& where);

}  // namespace hither::python
