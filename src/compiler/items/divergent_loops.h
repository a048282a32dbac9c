// Regions of divergent control flow that contain loops.
#pragma once

#include <optional>
#include <vector>

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// The blocks that items run from the end of `before` until all of them continue at `join`. All
/// items of the group reach `before`; they may take different paths to `join`, and run the loops in
/// between a different number of times.
struct DivergentRegion {
  llvm::BasicBlock* before;
  llvm::BasicBlock* join;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks;  ///< without `before` and `join`
  llvm::DenseSet<const llvm::BasicBlock*> members;

  bool contains(const llvm::BasicBlock* block) const { return members.contains(block); }
  /// The innermost loop of the region around `block`, or null.
  llvm::Loop* loop_of(const llvm::LoopInfo& loops, const llvm::BasicBlock* block) const;
  /// The next loop of the region around `loop`, or null.
  llvm::Loop* parent_of(const llvm::Loop& loop) const;
};

/// All such regions of `f`, a function of one group (group_kernel.h) whose loops have LLVM's
/// simplified form. Empty if a region has no reconvergence point, or if a loop lies partly in it.
std::optional<std::vector<DivergentRegion>> find_divergent_loops(llvm::Function& f,
                                                                 const llvm::LoopInfo& loops,
                                                                 const Uniformity& uniformity);

}  // namespace hither::compiler
