// Memory as LLVM's NVPTX code generator takes it.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Atomics keep their place among other accesses by fences of their own: LLVM 19 forgets the order
/// of an atomic, and knows no `fence`.
/// Their scope is the device at most: hosts see what a kernel wrote when it is done.
void order_atomics_by_fences(llvm::Function& f);

/// Local memory begins without a value. Casts between kinds of memory that are not generic would
/// end the process: throws Error kUnsupported naming `kernel`.
void prepare_memory(llvm::Module& module, const std::string& kernel);

}  // namespace hither::compiler
