// Loops whose steps are calls of a hither.CompiledCall.
#pragma once

#include <cstdint>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// `state` after `count` calls state = compiled(i, state). Where a program is for these calls, and
/// its results can be its arguments, many of them are one call of the program.
nb::object run_steps(nb::handle compiled, int64_t count, nb::object state);

}  // namespace hither::python
