// hither::Error as a Python error.
#pragma once

#include <string_view>

#include <hither/error.h>

namespace hither::python {

/// Sets the Python error of the class that error.kind() names. Needs the GIL.
void raise_error(const Error& error) noexcept;

/// What() of a Python exception without the line break at its end, which it has where nanobind was
/// built for the stable ABI.
constexpr std::string_view without_line_break(std::string_view what) {
  if (what.ends_with('\n')) what.remove_suffix(1);
  return what;
}

}  // namespace hither::python
