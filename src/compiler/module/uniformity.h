// Uniformity analysis: which values and branches are the same for all items of a group.
#pragma once

#include <array>

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// Uniformity of a function of one group (group_kernel.h). Divergence spreads from local ids,
/// private arrays, atomics and calls of unknown functions, along operands and through branches. It
/// is coarser than LLVM's UniformityInfo, which finds some phis after divergent branches uniform:
/// here no phi is uniform between a divergent branch and its reconvergence point.
struct Uniformity {
  llvm::DenseSet<const llvm::Value*> divergent;
  /// Values that are uniform inside a loop which items leave in different iterations. At uses
  /// outside the loop they are divergent.
  llvm::DenseSet<const llvm::Value*> divergent_outside;
  llvm::DenseSet<const llvm::BasicBlock*> divergent_branches;

  bool is_uniform(const llvm::Value* value) const { return !divergent.contains(value); }
  bool branches(const llvm::BasicBlock* block) const { return divergent_branches.contains(block); }
  /// Whether all items leave `loop` in the same iteration.
  bool leave_together(const llvm::Loop& loop) const;
};

Uniformity analyse_uniformity(llvm::Function& f);

/// The local size, for a kernel whose index queries are still intrinsics. An extent of 1 is known
/// to be exactly 1.
class LocalSize {
 public:
  explicit LocalSize(const std::array<int64_t, 3>& extents) : extents_(extents) {}
  /// Whether an id query is uniform because the local size is 1 in its dimension.
  bool is_one(const llvm::CallInst& call) const;

 private:
  std::array<int64_t, 3> extents_;
};
Uniformity analyse_uniformity(llvm::Function& f, const LocalSize& local_size);
/// Considers divergence along operands only. Everything that it finds divergent is so in any
/// control flow.
Uniformity analyse_operands(llvm::Function& f, const LocalSize& local_size);
/// The region of influence of the divergent branch at the end of `branch`: the blocks in which
/// items may be while others of their group are elsewhere, and the reconvergence point, or null.
struct Divergence {
  llvm::DenseSet<const llvm::BasicBlock*> blocks;
  const llvm::BasicBlock* join = nullptr;
};
Divergence divergence_at(const llvm::BasicBlock& branch,
                         const llvm::PostDominatorTree& postdominators);

}  // namespace hither::compiler
