// Which values and branches are the same for all items of a group.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

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

}  // namespace hither::compiler
