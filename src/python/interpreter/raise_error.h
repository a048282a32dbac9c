// hither::Error as a Python error.
#pragma once

#include <exception>
#include <string_view>

#include <hither/error.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Sets the Python error of the class that error.kind() names. Needs the GIL.
void raise_error(const Error& error) noexcept;

/// Raises what `exception` holds as the Python error: for nanobind's functions, which pass on what
/// is neither a hither::Error nor a failed cast.
void translate(const std::exception_ptr& exception);
/// Imports hither.errors, whose classes raise_error() needs. Called once, first.
void load_error_classes();

/// Turns the C++ exception in flight into the Python error. Call it in a catch block only.
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

/// What is said where an object is not what nanobind's cast was asked for.
inline constexpr const char* kWrongType = "an object that was given has another type than is due";

/// What() of a Python exception without the line break at its end, which it has where nanobind was
/// built for the stable ABI.
constexpr std::string_view without_line_break(std::string_view what) {
  if (what.ends_with('\n')) what.remove_suffix(1);
  return what;
}

}  // namespace hither::python
