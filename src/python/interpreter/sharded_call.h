// Calls of hither's functions with sharded arrays, which are a class in Python.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Call this when a function has refused its arguments and the Python error is set. If one of them
/// is a ShardedArray, the result is that of the function for sharded arrays. Otherwise null, and
/// the error stays. `names` is a tuple of the names of keywords, or null.
PyObject* call_with_sharded(const char* function, PyObject* const* arguments, Py_ssize_t positional,
                            PyObject* names) noexcept;

/// Makes a function of nanobind take sharded arrays. Other calls take as long as before.
void take_sharded(nb::handle function);

/// The offset of the function pointer in nanobind's functions; their type is opaque.
void set_vectorcall_offset(Py_ssize_t offset) noexcept;

}  // namespace hither::python
