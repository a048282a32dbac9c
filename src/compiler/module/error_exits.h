// Error exits: control flow that ends in hither.raise.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Makes hither.raise end the item: drops the code that follows it, and marks the call so that no
/// pass moves or removes it. Must run before simplification.
void end_items_at_errors(llvm::Function& f);

/// Detaches the control flow that ends in an error from a group kernel, so that an item that fails
/// alone does not count as one that misses a barrier. The other items run on to the end of the
/// region, and then the group stops.
class ErrorExits {
 public:
  /// Detaches the branches of `f` that lead only to errors.
  explicit ErrorExits(llvm::Function& f);
  ~ErrorExits() { clear(); }
  ErrorExits(const ErrorExits&) = delete;
  ErrorExits& operator=(const ErrorExits&) = delete;

  /// Attaches the terminators again. Analyses of the function are then out of date.
  void restore();
  /// Deletes the detached terminators, which refer to blocks of the function.
  void clear();

  bool any() const noexcept { return !error_blocks_.empty(); }
  /// Whether all paths from here lead to an error.
  bool leads_only_to_errors(const llvm::BasicBlock* block) const {
    return error_blocks_.contains(block);
  }
  /// The terminator of a block before error exits were detached; null if it was not changed.
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
