// An object of Python's in a message.
#pragma once

#include <string>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// repr(object) in UTF-8, with what UTF-8 cannot hold escaped; long ones are cut.
std::string shown(nb::handle object);

}  // namespace hither::python
