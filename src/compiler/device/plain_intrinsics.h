// LLVM's intrinsics as plain instructions.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace hither::compiler {

/// Instructions of the same meaning as an intrinsic call of scalars, nan, signed zeros and overflow
/// included; null where there are none.
llvm::Value* plain_instructions(llvm::IRBuilder<>& b, llvm::IntrinsicInst& call);

}  // namespace hither::compiler
