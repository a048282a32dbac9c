// Which values and branches are the same for all items of a group.
#pragma once

#include <array>

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// Of a function of one group (group_kernel.h): divergence spreads from the local ids, private
/// arrays, atomics and calls that nobody can see into, along operands and through branches.
/// Coarser than LLVM's UniformityInfo, which takes some phis behind divergent branches for uniform:
/// no phi is uniform between a divergent branch and the place where items are together again.
struct Uniformity {
  llvm::DenseSet<const llvm::Value*> divergent;
  /// Uniform in a loop whose items leave it at different times: where they are used outside, each
  /// item has its own.
  llvm::DenseSet<const llvm::Value*> divergent_outside;
  llvm::DenseSet<const llvm::BasicBlock*> divergent_branches;

  bool is_uniform(const llvm::Value* value) const { return !divergent.contains(value); }
  bool branches(const llvm::BasicBlock* block) const { return divergent_branches.contains(block); }
};

Uniformity analyse_uniformity(llvm::Function& f);

/// Of a kernel whose ids are still words, with the local size if it is known.
class LocalSize {
 public:
  explicit LocalSize(const std::array<int64_t, 3>& extents) : extents_(extents) {}
  /// Whether all items of a group get the same of a call that asks for an id in a dimension.
  bool is_one(const llvm::CallInst& call) const;

 private:
  std::array<int64_t, 3> extents_;
};
Uniformity analyse_uniformity(llvm::Function& f, const LocalSize& local_size);
/// Divergence that spreads along operands alone: what it finds is divergent whatever the branches.
Uniformity analyse_operands(llvm::Function& f, const LocalSize& local_size);
/// Blocks that items may be in while others of their group, which parted from them at the end of
/// `branch`, are elsewhere; and where they are together again, or null.
struct Divergence {
  llvm::DenseSet<const llvm::BasicBlock*> blocks;
  const llvm::BasicBlock* join = nullptr;
};
Divergence divergence_at(const llvm::BasicBlock& branch,
                         const llvm::PostDominatorTree& postdominators);

}  // namespace hither::compiler
