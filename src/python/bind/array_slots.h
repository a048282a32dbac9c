// The slots of hither.Array, by the file that fills them.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// What bind_array_type makes the type of, each ended by a null slot.
extern const PyType_Slot array_operator_slots[];
extern const PyType_Slot array_index_slots[];
extern const PyType_Slot array_attribute_slots[];

}  // namespace hither::python
