// Bitcode of the device library, embedded when hither is built.
#pragma once

#include <string_view>

namespace hither::device_library {

extern const std::string_view kDeviceLibraryCpu;
/// Calls only those functions of a C library that every device has
/// (compiler/module/math_functions.h).
extern const std::string_view kDeviceLibraryPortable;

}  // namespace hither::device_library
