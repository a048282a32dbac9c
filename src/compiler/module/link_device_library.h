// Links device library functions into the kernels that call them.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"
#include "target/target.h"

namespace hither::compiler {

/// Defines every hither_* function that `module` declares as an internal function. Throws Error
/// kCompile for a function that the library lacks or has with another type.
void link_device_library(llvm::Module& module, target::TargetKind kind, const std::string& kernel,
                         Diagnostics& diagnostics);

}  // namespace hither::compiler
