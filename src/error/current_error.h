// Conversion of the current exception to an Error.
#pragma once

#include <hither/error.h>

namespace hither::error {

/// The exception that is being handled: an Error itself, std::bad_alloc as kMemory, any other as
/// kDevice. `where` names its origin. Call it in a catch block only.
HITHER_EXPORT Error current_error(const char* where);

}  // namespace hither::error
