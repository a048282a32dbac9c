// Calls at which the items of a group meet: barriers and group functions.
#pragma once

#include <string>

#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// True for a call that all items of a group must reach together.
bool is_meeting(const llvm::Instruction& i);
/// The meeting that a block begins with, or null.
const llvm::CallInst* meeting_of(const llvm::BasicBlock& block);
/// The user's line, 0 when unknown.
int line_of(const llvm::Instruction& i);
/// "the barrier", "group_reduce".
std::string description_of(const llvm::CallInst& meeting);

/// Splits blocks so that each meeting begins one.
void split_at_meetings(llvm::Function& f);

}  // namespace hither::compiler
