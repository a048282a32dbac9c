// Errors of calls whose arguments do not fit a function's signature.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The InvalidTypeError of a call that does not fit `signature`, such as "sin(x, /, *,
/// queue=None)". `positional` are the values given by position; `keywords` is a tuple of names, or
/// null.
[[noreturn]] void refuse_call(std::string_view signature, std::span<PyObject* const> positional,
                              PyObject* keywords);

}  // namespace hither::python
