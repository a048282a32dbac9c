// Conversion between NumPy's dtypes and hither::DType.
#pragma once

#include <optional>
#include <string>

#include <hither/dtype.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The dtype that `object` denotes: a NumPy dtype or scalar type, a name ("float32", "<f4"), or
/// bool, int, float, complex. Error kType, with `where`, for other objects, non-native byte orders
/// and types that arrays cannot hold (strings, objects, dates, long doubles).
DType dtype_argument(nb::handle object, const char* where = "dtype");

/// Whether NumPy has the dtype only with ml_dtypes: bfloat16 and float8.
constexpr bool needs_ml_dtypes(DType dtype) noexcept { return dtype >= DType::kBFloat16; }
/// The unsigned integer dtype of the elements' bits where needs_ml_dtypes(), else the dtype. NumPy
/// and the buffer protocol exchange such arrays by their bits.
constexpr DType exchanged_as(DType dtype) noexcept {
  if (!needs_ml_dtypes(dtype)) return dtype;
  return size_of(dtype) == 2 ? DType::kUInt16 : DType::kUInt8;
}

/// NumPy's dtype object, one for each dtype, borrowed for the life of the process. Error
/// kUnsupported if that needs ml_dtypes, which is not installed.
nb::handle dtype_object(DType dtype);
/// NumPy's scalar type (numpy.float32), borrowed for the life of the process.
nb::handle scalar_type_object(DType dtype);
/// Whether `object` is the name of a dtype for which needs_ml_dtypes() holds.
bool is_name_of_ml_dtypes(nb::handle object);
/// Imports NumPy for the other functions of this header. Called once, first.
void load_numpy_types();

/// "<f4": NumPy's and SUAI's typestr, in native byte order. It has no name for bfloat16 and float8,
/// which are "<V2" and "|V1", as NumPy's arrays of ml_dtypes are.
std::string typestr(DType dtype);

/// numpy.generic and numpy.ndarray, borrowed for the life of the process.
extern PyTypeObject* numpy_scalar_type;
extern PyTypeObject* numpy_array_type;

inline bool is_numpy_scalar(PyObject* object) noexcept {
  return PyType_IsSubtype(Py_TYPE(object), numpy_scalar_type);
}
/// The dtype of a NumPy scalar; nothing for other objects, and for scalars that arrays cannot hold.
std::optional<DType> dtype_of_numpy_scalar(PyObject* object) noexcept;
inline bool is_numpy_array(PyObject* object) noexcept {
  return Py_TYPE(object) == numpy_array_type || PyType_IsSubtype(Py_TYPE(object), numpy_array_type);
}

}  // namespace hither::python
