// The hither.* functions that kernels call.
#pragma once

#include <optional>

#include <llvm/IR/Function.h>

namespace hither::compiler {

enum class Intrinsic {
  kGlobalId,
  kGlobalSize,
  kLocalId,
  kLocalSize,
  kGroupId,
  kNumGroups,  // from kGlobalId to here: where an item is, by dimension
  kSubGroupSize,
  kSubGroupLocalId,
  kSubGroupId,
  kNumSubGroups,  // from kSubGroupSize to here: where it is in its sub-group
  kSubGroupBarrier,
  kBarrier,
  kRaise,
  kGroupFunction,  ///< see group_function.h
};

/// Metadata of calls: where in the user's source they are.
inline constexpr const char* kLine = "hither.line";

inline bool is_index_query(Intrinsic intrinsic) noexcept {
  return intrinsic <= Intrinsic::kNumGroups;
}
inline bool is_sub_group_query(Intrinsic intrinsic) noexcept {
  return Intrinsic::kSubGroupSize <= intrinsic && intrinsic <= Intrinsic::kNumSubGroups;
}

/// Which word of the vocabulary a declaration is; its type is right then. Nothing for other names.
std::optional<Intrinsic> intrinsic_of(const llvm::Function& declaration);
/// True for a declaration that has a word's name and another type.
bool is_misdeclared_intrinsic(const llvm::Function& declaration);
/// How a misdeclared word is spelled rightly.
const char* declaration_of(const llvm::Function& declaration);

/// The highest dimension that a module asks about, 1 to 3.
int dimensions_queried(const llvm::Module& module);

/// Says what LLVM may assume of the words: ids are at least 0, barriers are convergent.
void annotate_intrinsics(llvm::Module& module);

}  // namespace hither::compiler
