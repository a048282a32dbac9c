// The ways by which some items of a group leave a kernel whose others go on to meet.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// An item that takes the branch's way to `to` comes to no meeting any more.
struct EarlyExit {
  llvm::BranchInst* branch;
  llvm::BasicBlock* to;
};

/// The early returns of a kernel, taken out of its control flow, so that what is left says how the
/// remaining items go. What an item does after it has left (`if i >= n: x[i] = 0; return`) must be
/// its own: where remaining items come by too, it is a branch around a meeting and not a return.
class EarlyExits {
 public:
  /// `f` returns in `end` alone, which holds nothing else; meetings begin their blocks, and all
  /// branches have two ways.
  EarlyExits(llvm::Function& f, llvm::BasicBlock* end, const LocalSize& local_size);
  ~EarlyExits();
  EarlyExits(const EarlyExits&) = delete;
  EarlyExits& operator=(const EarlyExits&) = delete;

  const llvm::SmallVector<EarlyExit, 4>& all() const noexcept { return exits_; }
  /// The block whose terminator `exit` was.
  llvm::BasicBlock* block_of(const EarlyExit& exit) const { return blocks_.lookup(exit.branch); }
  /// Whether a meeting follows, or begins the block.
  bool leads_to_convergent(const llvm::BasicBlock* block) const { return leads_.contains(block); }
  /// Puts the branches back.
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
  llvm::SmallVector<EarlyExit, 4> exits_;  ///< at first all that may be some
  llvm::DenseMap<const llvm::BranchInst*, llvm::BasicBlock*> blocks_;  ///< of detached branches
};

/// What items do from `exit` to the kernel's `end`, which is not part of it.
llvm::SmallVector<llvm::BasicBlock*, 4> exit_blocks(const EarlyExit& exit, llvm::BasicBlock* end);

}  // namespace hither::compiler
