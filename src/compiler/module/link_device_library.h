// Functions of the device library, linked into the kernels that call them.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"
#include "target/target.h"

namespace hither::compiler {

/// Defines every hither_* function that `module` declares and the library has, as internal
/// functions. Throws Error kCompile for one that the library lacks or has with another type.
void link_device_library(llvm::Module& module, target::TargetKind kind, const std::string& kernel,
                         Diagnostics& diagnostics);

}  // namespace hither::compiler
