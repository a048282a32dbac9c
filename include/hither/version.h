// The version of hither.
#pragma once

#include <hither/export.h>

/// The version of these headers. A C++ program needs a library of the same major and minor version.
#define HITHER_HEADERS_VERSION "0.2"

namespace hither {

/// "major.minor.patch" of the library that is loaded. Static storage; never blocks, never fails.
HITHER_EXPORT const char* version() noexcept;

}  // namespace hither
