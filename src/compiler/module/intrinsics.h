// The hither.* intrinsics that kernels call.
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
  kNumGroups,  // from kGlobalId to here: index queries by dimension
  kSubGroupSize,
  kSubGroupLocalId,
  kSubGroupId,
  kNumSubGroups,  // from kSubGroupSize to here: sub-group queries
  kSubGroupBarrier,
  kBarrier,
  kRaise,
  kPrintBuffer,
  kGroupFunction,  ///< see group_function.h
};

/// Metadata kind of calls: the line in the user's source.
inline constexpr const char* kLine = "hither.line";

inline bool is_index_query(Intrinsic intrinsic) noexcept {
  return intrinsic <= Intrinsic::kNumGroups;
}
inline bool is_sub_group_query(Intrinsic intrinsic) noexcept {
  return Intrinsic::kSubGroupSize <= intrinsic && intrinsic <= Intrinsic::kNumSubGroups;
}

/// The intrinsic that a declaration with the right type names. Empty for other names.
std::optional<Intrinsic> intrinsic_of(const llvm::Function& declaration);
/// True for a declaration with the name of an intrinsic and another type.
bool is_misdeclared_intrinsic(const llvm::Function& declaration);
/// The correct declaration of a misdeclared intrinsic.
const char* declaration_of(const llvm::Function& declaration);

/// The number of dimensions that a module queries, 1 to 3.
int dimensions_queried(const llvm::Module& module);

/// Adds what LLVM may assume about the intrinsics: ids are not negative, barriers are convergent.
void annotate_intrinsics(llvm::Module& module);

}  // namespace hither::compiler
