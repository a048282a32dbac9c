// Numbers for Python objects, by which launches refer to them.
#pragma once

#include <cstdint>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The number of `object`, from 1 on. Equal objects have equal numbers. Keeps the object alive for
/// the life of the process. Needs the GIL.
uint32_t intern(nb::handle object);
/// The object of a number, None for 0. Borrowed.
nb::handle interned(uint32_t number);

}  // namespace hither::python
