// Python numbers from arrays of one element.
#pragma once

#include <hither/array.h>

#include "python/convert/array_object.h"

namespace hither::python {

/// The element of an array of size 1 as a Python bool, int, float or complex, after waiting. Error
/// kValue for any other size.
nb::object element_of(const Array& x);

/// The slots of hither.Array for bool(), int(), float() and operator.index().
extern const PyType_Slot array_scalar_slots[];

}  // namespace hither::python
