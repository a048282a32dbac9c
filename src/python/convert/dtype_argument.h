// dtypes are NumPy's in Python: what they are in C++, and back.
#pragma once

#include <string>

#include <hither/dtype.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The dtype that `object` means: a NumPy dtype or scalar type, a name ("float32", "<f4"), or bool,
/// int, float, complex. Error kType, with `where`, for anything else: other byte orders, and what
/// arrays cannot hold (strings, objects, dates, long doubles).
DType dtype_argument(nb::handle object, const char* where = "dtype");

/// NumPy's dtype object: one Python object a dtype, borrowed for the life of the process.
nb::handle dtype_object(DType dtype);
/// NumPy's scalar type (numpy.float32), borrowed for the life of the process.
nb::handle scalar_type_object(DType dtype);
/// Imports NumPy and fills what the functions of this header look up. Called once, first.
void load_numpy_types();

/// "<f4": NumPy's and SUAI's typestr, in the byte order of this machine.
std::string typestr(DType dtype);

/// numpy.generic and numpy.ndarray, borrowed for the life of the process.
extern PyTypeObject* numpy_scalar_type;
extern PyTypeObject* numpy_array_type;

inline bool is_numpy_scalar(PyObject* object) noexcept {
  return PyType_IsSubtype(Py_TYPE(object), numpy_scalar_type);
}
inline bool is_numpy_array(PyObject* object) noexcept {
  return Py_TYPE(object) == numpy_array_type || PyType_IsSubtype(Py_TYPE(object), numpy_array_type);
}

}  // namespace hither::python
