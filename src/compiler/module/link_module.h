// First stage: the texts of a kernel module become one LLVM module.
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Parses every piece of `source.code`, gives it the target's triple and layout, links the entry's
/// piece first and makes everything but the entry internal; what the entry does not reach is
/// dropped. Throws Error kCompile.
std::unique_ptr<llvm::Module> link_module(const target::KernelModule& source,
                                          Diagnostics& diagnostics, const std::string& triple,
                                          const llvm::DataLayout& layout);

/// Takes back the permission to make a product and a sum one operation with one rounding: only PTX
/// uses it. Elsewhere vectors and what is left of them could come to differ.
void round_each_operation(llvm::Module& module);

/// Inlines every call of a function that the module defines, recursive ones excepted.
void inline_everything(llvm::Module& module);

}  // namespace hither::compiler
