// The Python object of an array. It holds the C++ handle inline, and its type is made with
// CPython's C API, so that an operator costs one slot call without nanobind's dispatch.
#pragma once

#include <utility>

#include <hither/array.h>

#include "python/interpreter/raise_error.h"

namespace hither::python {

struct ArrayObject {
  PyObject_HEAD PyObject* weak_references;
  Array array;
};

/// hither.Array. The type is final, so that is_array() compares one pointer.
extern PyTypeObject* array_type;

inline bool is_array(PyObject* object) noexcept { return Py_TYPE(object) == array_type; }
/// Precondition: is_array(object). Borrowed from it.
inline Array& array_of(PyObject* object) noexcept {
  return reinterpret_cast<ArrayObject*>(object)->array;
}
/// Whether only the caller's reference to the object exists, as of the result of an expression. May
/// be false for others.
bool is_temporary(PyObject* object) noexcept;
/// The array that the object is, if only the caller's reference to it exists, as of the result of
/// an expression; else null. May be null for others.
const Array* temporary_array(PyObject* object) noexcept;
/// A new reference; null with a Python error set when memory is exhausted.
PyObject* wrap(Array array) noexcept;

/// A parameter of a bound function that may return this very object. Parameters are borrowed
/// references; results are new ones, or null with a Python error set.
struct ArrayItself {
  PyObject* object = nullptr;
  const Array& array() const noexcept { return array_of(object); }
};

}  // namespace hither::python

namespace nanobind::detail {

// Functions bound by nanobind receive the array inside the Python object. The call keeps the object
// alive, so that an argument needs no reference count.
template <>
struct type_caster<hither::Array> {
  using Value = hither::Array;
  static constexpr auto Name = const_name("hither.Array");
  template <typename T>
  using Cast = hither::Array&;
  template <typename T>
  static constexpr bool can_cast() {
    return true;
  }
  hither::Array* array = nullptr;

  explicit operator hither::Array&() const noexcept { return *array; }
  bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
    if (!hither::python::is_array(src.ptr())) return false;
    array = &hither::python::array_of(src.ptr());
    return true;
  }
  static handle from_cpp(const hither::Array& src, rv_policy, cleanup_list*) noexcept {
    return hither::python::wrap(src);
  }
};

template <>
struct type_caster<hither::python::ArrayItself> {
  NB_TYPE_CASTER(hither::python::ArrayItself, const_name("hither.Array"))
  bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
    value.object = src.ptr();
    return hither::python::is_array(src.ptr());
  }
  static handle from_cpp(hither::python::ArrayItself src, rv_policy, cleanup_list*) noexcept {
    return src.object;
  }
};

}  // namespace nanobind::detail
