// The version of the sources that this library was built from.
#pragma once

namespace hither::compiler {

/// Hash of all sources that decide the machine code of a kernel.
extern const char* const kCodeVersion;

}  // namespace hither::compiler
