// hither::Error as a Python error.
#pragma once

#include <string_view>

#include <hither/error.h>

namespace hither::python {

/// Sets the Python error of the class that error.kind() names. Needs the GIL.
void raise_error(const Error& error) noexcept;

/// What is said where an object is not what nanobind's cast was asked for.
inline constexpr const char* kWrongType = "an object that was given has another type than is due";

/// What() of a Python exception without the line break at its end, which it has where nanobind was
/// built for the stable ABI.
constexpr std::string_view without_line_break(std::string_view what) {
  if (what.ends_with('\n')) what.remove_suffix(1);
  return what;
}

}  // namespace hither::python
