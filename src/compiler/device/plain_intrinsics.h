// Replaces LLVM's intrinsics by plain instructions.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace hither::compiler {

/// Instructions with the meaning of a scalar intrinsic call, including nan, signed zeros and
/// overflow. Null if there are none.
llvm::Value* plain_instructions(llvm::IRBuilder<>& b, llvm::IntrinsicInst& call);

}  // namespace hither::compiler
