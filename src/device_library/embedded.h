// Bitcode of the device library, embedded when hither is built. One string a target triple.
#pragma once

#include <string_view>

namespace hither::device_library {

extern const std::string_view kDeviceLibraryCpu;

}  // namespace hither::device_library
