// Links device library functions into the kernels that call them.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"

namespace hither::compiler {

/// The library for the CPU, which knows its instructions, or the one for all devices.
enum class DeviceLibrary { kCpu, kPortable };

/// Defines every hither_* function that `module` declares as an internal function. Throws Error
/// kCompile for a function that the library lacks or has with another type.
void link_device_library(llvm::Module& module, DeviceLibrary which, const std::string& kernel,
                         Diagnostics& diagnostics);

}  // namespace hither::compiler
