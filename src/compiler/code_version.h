// Which sources this library was built from.
#pragma once

namespace hither::compiler {

/// Hash of everything in the source that decides what machine code a kernel gets.
extern const char* const kCodeVersion;

}  // namespace hither::compiler
