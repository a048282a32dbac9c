// Products of integers on CUDA devices.
#pragma once

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Replaces 64-bit products of numbers below 2^32 by PTX's product of two 32-bit numbers, which is
/// one instruction instead of three. LLVM's code generator recognises it only from a conversion,
/// which its optimiser has then turned into a mask. Runs last.
void shorten_products(llvm::Module& module);

}  // namespace hither::compiler
