// Early exits: branches by which some items of a group return before a convergent operation that
// the others execute.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// An item that takes the edge of `branch` to `to` reaches no further convergent operation.
struct EarlyExit {
  llvm::BranchInst* branch;
  llvm::BasicBlock* to;
};

/// Finds the early returns of a kernel and detaches them from its control flow, so that the rest is
/// the control flow of the remaining items. The blocks between an early exit and the return (`if i
/// >= n: x[i] = 0; return`) must belong to this exit alone. If remaining items run these blocks
/// too, the branch is not a return but a branch around the convergent operation.
class EarlyExits {
 public:
  /// Requires that `f` returns only in `end`, which holds nothing else, that convergent operations
  /// begin their blocks, and that no terminator has more than two successors.
  EarlyExits(llvm::Function& f, llvm::BasicBlock* end, const LocalSize& local_size);
  ~EarlyExits();
  EarlyExits(const EarlyExits&) = delete;
  EarlyExits& operator=(const EarlyExits&) = delete;

  const llvm::SmallVector<EarlyExit, 4>& all() const noexcept { return exits_; }
  /// The block that `exit`'s branch terminated.
  llvm::BasicBlock* block_of(const EarlyExit& exit) const { return blocks_.lookup(exit.branch); }
  /// Whether the block begins with a convergent operation or one follows it.
  bool leads_to_convergent(const llvm::BasicBlock* block) const { return leads_.contains(block); }
  /// Attaches the detached branches again.
  void restore();

 private:
  void find_candidates();
  void detach_divergent(const LocalSize& local_size);
  void restore_uniform(const LocalSize& local_size);
  void restore_shared();
  bool try_detach(const EarlyExit& exit);
  void detach(const EarlyExit& exit);
  void put_back(const EarlyExit& exit);
  bool all_reach_the_end() const;
  llvm::DenseSet<llvm::BasicBlock*> live_blocks() const;
  bool is_shared(const EarlyExit& exit, const llvm::DenseSet<llvm::BasicBlock*>& live) const;

  llvm::Function& f_;
  llvm::BasicBlock* end_;
  llvm::DenseSet<const llvm::BasicBlock*> leads_;
  llvm::SmallVector<EarlyExit, 4> exits_;  ///< before the analysis: all candidates
  llvm::DenseMap<const llvm::BranchInst*, llvm::BasicBlock*> blocks_;  ///< of detached branches
};

/// The blocks that an item runs from `exit` to the kernel's `end`, without `end`.
llvm::SmallVector<llvm::BasicBlock*, 4> exit_blocks(const EarlyExit& exit, llvm::BasicBlock* end);

}  // namespace hither::compiler
