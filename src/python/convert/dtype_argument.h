// Conversion between NumPy's dtypes and hither::DType.
#pragma once

#include <string>

#include <hither/dtype.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The dtype that `object` denotes: a NumPy dtype or scalar type, a name ("float32", "<f4"), or
/// bool, int, float, complex. Error kType, with `where`, for other objects, non-native byte orders
/// and types that arrays cannot hold (strings, objects, dates, long doubles).
DType dtype_argument(nb::handle object, const char* where = "dtype");

/// NumPy's dtype object, one for each dtype, borrowed for the life of the process.
nb::handle dtype_object(DType dtype);
/// NumPy's scalar type (numpy.float32), borrowed for the life of the process.
nb::handle scalar_type_object(DType dtype);
/// Imports NumPy for the other functions of this header. Called once, first.
void load_numpy_types();

/// "<f4": NumPy's and SUAI's typestr, in native byte order.
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
