// Element types of DLPack, and the errors of both directions.
#pragma once

#include <string>
#include <utility>

#include <hither/dtype.h>

#include "python/convert/dlpack.h"
#include "python/interpreter/nanobind.h"

namespace hither::python::dlpack {

/// Error kBuffer.
[[noreturn]] void refuse(const std::string& why);

DataType to_dlpack(DType dtype);
/// Error kBuffer for types that arrays cannot hold.
DType from_dlpack(const DataType& type);

/// A pair of ints, as devices and versions are. Error kType names the argument.
std::pair<int, int> pair_argument(nb::handle given, const char* name);

}  // namespace hither::python::dlpack
