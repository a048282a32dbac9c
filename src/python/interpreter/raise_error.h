// Conversion of C++ exceptions to Python exceptions.
#pragma once

#include <exception>
#include <string_view>

#include <hither/error.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Sets the Python error of the class that error.kind() names. Needs the GIL.
void raise_error(const Error& error) noexcept;

/// Sets the Python error for a hither::Error or a failed cast; rethrows other exceptions. For
/// nanobind, as its exception translator.
void translate(const std::exception_ptr& exception);
/// Imports hither.errors, whose classes raise_error() needs. Called once, first.
void load_error_classes();

/// Sets the Python error for the current C++ exception. Call it in a catch block only.
void set_python_error() noexcept;

/// Runs `work`, which returns a new reference, for a slot of CPython: exceptions become Python
/// errors.
template <typename Work>
PyObject* guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}
/// The same for slots that return 0, or -1 with an error set.
template <typename Work>
int guarded_status(Work&& work) noexcept {
  try {
    return work();
  } catch (...) {
    set_python_error();
    return -1;
  }
}

/// Message of a failed nanobind cast.
inline constexpr const char* kWrongType = "an argument, or an object in it, has the wrong type";

/// The what() of a Python exception without the trailing line break that nanobind adds if it is
/// built for the stable ABI.
constexpr std::string_view without_line_break(std::string_view what) {
  if (what.ends_with('\n')) what.remove_suffix(1);
  return what;
}

}  // namespace hither::python
