// An exception in flight as an Error.
#pragma once

#include <hither/error.h>

namespace hither::error {

/// The exception that a catch block has caught: an Error as it is, exhausted memory as kMemory,
/// anything else as kDevice. `where` names who threw it. Call it in a catch block only.
HITHER_EXPORT Error current_error(const char* where);

}  // namespace hither::error
