// Barriers and group functions to which items come that have returned.
#pragma once

#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// Gives `meeting` the neutral element where `flag`, a variable, says that the item has returned.
/// Lanes that have returned count as missing in shuffles; a broadcast from one is an error.
void mask_operation(llvm::CallInst& operation, llvm::AllocaInst* flag);

/// Lets the remaining items of a group say which way all of it goes; nobody remaining, the first or
/// the second.
void vote_on_branch(llvm::BranchInst& branch, llvm::AllocaInst* flag, bool first_if_none);

}  // namespace hither::compiler
