// Shared libraries that are opened at run time.
#pragma once

#include <string>

#include <hither/export.h>

namespace hither::process {

/// dlopen with RTLD_NOW and RTLD_LOCAL. Null if the library does not exist or cannot be used, which
/// is permanent. Throws Error kMemory or kDevice if the process lacks memory or file descriptors,
/// which is temporary: callers may cache a result, but not this failure.
HITHER_EXPORT void* open_library(const std::string& file);

}  // namespace hither::process
