// Which hither a program runs with.
#pragma once

#include <hither/export.h>

namespace hither {

/// "major.minor.patch" of the library that is loaded. Static storage; never blocks, never fails.
HITHER_EXPORT const char* version() noexcept;

}  // namespace hither
