// Convergent operations: barriers and group functions. If one item of a group or sub-group executes
// one, all items must.
#pragma once

#include <string>

#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// True for a call of a barrier or group function.
bool is_convergent(const llvm::Instruction& i);
/// The convergent operation that the block begins with, or null.
const llvm::CallInst* convergent_operation_of(const llvm::BasicBlock& block);
/// "FILE:LINE" of the user's source. The call's metadata may name another file than `source_file`.
/// Unknown parts are left out.
std::string place_of(const llvm::CallInst& operation, const std::string& source_file);
/// "the barrier", "group_reduce".
std::string description_of(const llvm::CallInst& operation);

/// Splits blocks so that each convergent operation begins one.
void split_at_convergent_operations(llvm::Function& f);

}  // namespace hither::compiler
