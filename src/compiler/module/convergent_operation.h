// Calls at which the items of a group meet: barriers and group functions.
#pragma once

#include <string>

#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// True for a call that all items of a group must reach together.
bool is_meeting(const llvm::Instruction& i);
/// The meeting that a block begins with, or null.
const llvm::CallInst* meeting_of(const llvm::BasicBlock& block);
/// "FILE:LINE" of the user's source, where FILE is `source_file` unless the call knows better; what
/// is unknown is left out.
std::string place_of(const llvm::CallInst& meeting, const std::string& source_file);
/// "the barrier", "group_reduce".
std::string description_of(const llvm::CallInst& meeting);

/// Splits blocks so that each meeting begins one.
void split_at_meetings(llvm::Function& f);

}  // namespace hither::compiler
