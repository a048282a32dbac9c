// The slots of hither.Array that files of this folder define.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Parts of the type that bind_array_type() makes, each ended by a null slot.
extern const PyType_Slot array_operator_slots[];
extern const PyType_Slot array_index_slots[];
extern const PyType_Slot array_attribute_slots[];

}  // namespace hither::python
