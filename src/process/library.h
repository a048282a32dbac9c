// Shared libraries that are opened at run time.
#pragma once

#include <string>

#include <hither/export.h>

namespace hither::process {

/// dlopen with RTLD_NOW and RTLD_LOCAL. Null where there is no such library, or none that can be
/// used here: another call would find the same. Throws Error kMemory or kDevice where the process
/// had no memory or no file descriptor left for it: a later call may find it. A caller keeps what
/// it got and must not keep that it failed.
HITHER_EXPORT void* open_library(const std::string& file);

}  // namespace hither::process
