// Items that report an error leave the group.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Ends items where they call hither.raise: what follows is dropped, and the call marked so that no
/// pass moves or removes it. To be done before simplification.
void end_items_at_errors(llvm::Function& f);

/// The ways of a group kernel that end in an error, taken out of its control flow, so that an item
/// that fails alone does not count as one that misses a barrier. Its group stops where the others
/// have caught up.
class ErrorExits {
 public:
  /// Rewrites the branches of `f` that lead to nothing but errors.
  explicit ErrorExits(llvm::Function& f);
  ~ErrorExits() { clear(); }
  ErrorExits(const ErrorExits&) = delete;
  ErrorExits& operator=(const ErrorExits&) = delete;

  /// Puts the terminators back. What the analysis of the function found is then out of date.
  void restore();
  /// Forgets the terminators, which refer to blocks of the function.
  void clear();

  bool any() const noexcept { return !error_blocks_.empty(); }
  /// Whether all ways from here lead to an error.
  bool leads_only_to_errors(const llvm::BasicBlock* block) const {
    return error_blocks_.contains(block);
  }
  /// The terminator that a block had, error exits included; null when it has none.
  const llvm::Instruction* terminator(const llvm::BasicBlock* block) const {
    return terminators_.lookup(block);
  }

 private:
  void find_error_blocks(llvm::Function& f);
  void detach(llvm::BasicBlock& block);

  llvm::DenseSet<const llvm::BasicBlock*> error_blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Instruction*> terminators_;
};

}  // namespace hither::compiler
