// Python objects that launches name by small numbers.
#pragma once

#include <cstdint>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Equal objects get equal numbers, from 1 on, and live as long as the process. Needs the GIL.
uint32_t intern(nb::handle object);
/// The object of a number, None for 0. Borrowed.
nb::handle interned(uint32_t number);

}  // namespace hither::python
