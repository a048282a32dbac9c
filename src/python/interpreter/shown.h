// Text of a Python object for error messages.
#pragma once

#include <string>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// repr(object) in UTF-8. Characters that UTF-8 cannot encode are escaped; long text is truncated.
std::string shown(nb::handle object);

}  // namespace hither::python
