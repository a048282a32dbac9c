// Checks the rules for kernel modules in LLVM IR.
#pragma once

#include <llvm/IR/Module.h>

#include "target/kernel_module.h"

namespace hither::compiler {

/// Checks the linked module (the result of link_module, before it is rewritten). Throws Error
/// kCompile with the rule and the location.
void verify_linked(const llvm::Module& module, const target::KernelModule& source);

/// Checks that the private memory of an item, after inlining, fits on the stack of any thread.
/// Throws Error kCompile with the sizes.
void verify_private_memory(const llvm::Module& module, const target::KernelModule& source);

}  // namespace hither::compiler
