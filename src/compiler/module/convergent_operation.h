// Calls at which the items of a group meet: barriers and group functions.
#pragma once

#include <string>

#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// True for a call that all items of a group must reach together.
bool is_convergent(const llvm::Instruction& i);
/// The meeting that a block begins with, or null.
const llvm::CallInst* convergent_operation_of(const llvm::BasicBlock& block);
/// "FILE:LINE" of the user's source, where FILE is `source_file` unless the call knows better; what
/// is unknown is left out.
std::string place_of(const llvm::CallInst& operation, const std::string& source_file);
/// "the barrier", "group_reduce".
std::string description_of(const llvm::CallInst& operation);

/// Splits blocks so that each meeting begins one.
void split_at_convergent_operations(llvm::Function& f);

}  // namespace hither::compiler
