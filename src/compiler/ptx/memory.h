// Rewrites memory operations for LLVM's NVPTX code generator.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Puts fences around ordered atomics, because LLVM 19's NVPTX code generator ignores the memory
/// order of an atomic and has no `fence`. The scope is at most the device: hosts see a kernel's
/// writes when it has ended.
void order_atomics_by_fences(llvm::Function& f);

/// Removes initial values of local memory and makes the alignment of variables explicit. Throws
/// Error kUnsupported naming `kernel` for casts between address spaces of which none is generic,
/// because the code generator would end the process.
void prepare_memory(llvm::Module& module, const std::string& kernel);

}  // namespace hither::compiler
