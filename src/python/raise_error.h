// hither::Error as a Python error.
#pragma once

#include <hither/error.h>

namespace hither::python {

/// Sets the Python error of the class that error.kind() names. Needs the GIL.
void raise_error(const Error& error) noexcept;

}  // namespace hither::python
