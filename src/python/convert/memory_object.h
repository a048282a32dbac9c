// Python's view of an allocation.
#pragma once

#include <hither/memory.h>

#include "python/bind/bindings.h"

namespace hither::python {

/// A MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost that shares `memory`.
nb::object memory_object(const Memory& memory);

}  // namespace hither::python
