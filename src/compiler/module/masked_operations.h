// Convergent operations that items which have returned execute too.
#pragma once

#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// Replaces the argument of `operation` by the neutral element in items whose `flag`, a variable,
/// says that they have returned. In shuffles, lanes that have returned count as missing. A
/// broadcast from such an item is an error.
void mask_operation(llvm::CallInst& operation, llvm::AllocaInst* flag);

/// Makes a uniform branch of the remaining items a uniform branch of the group, by a group
/// function. If no items remain, the group takes the first successor if `first_if_none`, otherwise
/// the second.
void vote_on_branch(llvm::BranchInst& branch, llvm::AllocaInst* flag, bool first_if_none);

}  // namespace hither::compiler
