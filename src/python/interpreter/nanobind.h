// nanobind under the short name nb.
#pragma once

#include <nanobind/nanobind.h>

namespace hither::python {

namespace nb = nanobind;

}  // namespace hither::python
