// The first stage: the texts of a kernel module become one LLVM module.
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Parses every piece of `source.code` and gives it the target's triple and layout. Links the piece
/// with the entry first, and makes everything but the entry internal. Functions that the entry does
/// not reach are dropped. Throws Error kCompile.
std::unique_ptr<llvm::Module> link_module(const target::KernelModule& source,
                                          Diagnostics& diagnostics, const std::string& triple,
                                          const llvm::DataLayout& layout);

/// Removes the permission to contract a product and a sum into a fused multiply-add. Only PTX uses
/// it: on other targets, vectorised code and its remainder loops could round differently.
void round_each_operation(llvm::Module& module);

/// Inlines all calls of functions that the module defines, except recursive ones.
void inline_everything(llvm::Module& module);

/// Replaces variables in memory by their values, and simplifies the instructions that use them.
void replace_variables(llvm::Module& module);

/// Replaces hither.print_buffer, after inlining, by the entry's last parameter. Throws Error
/// kCompile.
void pass_print_buffer(llvm::Module& module, const target::KernelModule& source);

}  // namespace hither::compiler
