// What must hold for a kernel module, on LLVM's side.
#pragma once

#include <llvm/IR/Module.h>

#include "target/kernel_module.h"

namespace hither::compiler {

/// Checks the linked module (link_module's result, before anything is rewritten). Throws Error
/// kCompile with the rule and the place.
void verify_linked(const llvm::Module& module, const target::KernelModule& source);

/// Checks that an item's private memory, all functions inlined, has room on the stack of any
/// thread. Throws Error kCompile with the numbers.
void verify_private_memory(const llvm::Module& module, const target::KernelModule& source);

}  // namespace hither::compiler
