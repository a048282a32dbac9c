// Casters of pybind11 for hither's Device, Context, Queue, Event, Memory and Array, so that the
// bound functions of an extension can take and return them. Call use_hither() first in
// PYBIND11_MODULE.
#pragma once

#include <pybind11/pybind11.h>

#include <hither/python_objects.h>

namespace hither {

/// Calls import_hither(), and translates hither::Error to the exceptions of hither.errors. Throws
/// pybind11::error_already_set.
inline void use_hither() {
  if (!import_hither()) throw pybind11::error_already_set();
  pybind11::register_local_exception_translator([](std::exception_ptr caught) {
    try {
      if (caught) std::rethrow_exception(caught);
    } catch (const Error& error) {
      set_python_error(error);
    }
  });
}

}  // namespace hither

namespace pybind11::detail {

template <hither::Convertible T>
struct type_caster<T> {
  static constexpr auto name = const_name(hither::Conversion<T>::kName);
  template <typename U>
  using cast_op_type = movable_cast_op_type<U>;
  std::optional<T> value;

  operator T*() { return &*value; }                // NOLINT(google-explicit-constructor)
  operator T&() { return *value; }                 // NOLINT(google-explicit-constructor)
  operator T&&() && { return std::move(*value); }  // NOLINT(google-explicit-constructor)
  bool load(handle source, bool) {
    value = hither::from_object<T>(source.ptr());
    return value.has_value();
  }
  static handle cast(const T& source, return_value_policy, handle) {
    return hither::to_object(source);
  }
};

}  // namespace pybind11::detail
