// Casters of nanobind for hither's Device, Context, Queue, Event, Memory and Array, so that the
// bound functions of an extension can take and return them. Call use_hither() first in NB_MODULE.
#pragma once

#include <nanobind/nanobind.h>

#include <hither/python_objects.h>

namespace hither {

/// Calls import_hither(), and translates hither::Error to the exceptions of hither.errors. Throws
/// nanobind::python_error.
inline void use_hither() {
  if (!import_hither()) throw nanobind::python_error();
  nanobind::register_exception_translator([](const std::exception_ptr& caught, void*) {
    try {
      std::rethrow_exception(caught);
    } catch (const Error& error) {
      set_python_error(error);
    }
  });
}

}  // namespace hither

namespace nanobind::detail {

template <hither::Convertible T>
struct type_caster<T> {
  using Value = T;
  static constexpr auto Name = const_name(hither::Conversion<T>::kName);
  template <typename U>
  using Cast = movable_cast_t<U>;
  template <typename>
  static constexpr bool can_cast() {
    return true;
  }
  std::optional<T> value;

  explicit operator T*() { return &*value; }
  explicit operator T&() { return *value; }
  explicit operator T&&() { return std::move(*value); }
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    value = hither::from_object<T>(source.ptr());
    return value.has_value();
  }
  static handle from_cpp(const T& source, rv_policy, cleanup_list*) noexcept {
    return hither::to_object(source);
  }
};

}  // namespace nanobind::detail
