// Values of loops that are the same for all items that run an iteration together.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/items/divergent_loops.h"
#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// A counter that is the same for all items in its loop: its phi and the value of the next
/// iteration.
struct CommonCounter {
  llvm::PHINode* phi;
  llvm::Instruction* next;
  llvm::BasicBlock *preheader, *latch;  ///< of the loop
};

/// Finds the values of the region's loops that are computed once for all items that are still in
/// the loop (lockstep.h): counters with the same start, and what follows from them. A counter with
/// another start for each item becomes that start plus a counter. A load of a block that these
/// items may all skip becomes a load of zeros in this case, so that it can run in each iteration.
class CommonValues {
 public:
  CommonValues(llvm::Function& f, const DivergentRegion& region, const llvm::LoopInfo& loops,
               const Uniformity& uniformity);

  bool contains(const llvm::Value* v) const { return common_.contains(v); }
  llvm::ArrayRef<CommonCounter> counters(const llvm::Loop& loop) { return counters_[&loop]; }
  /// The other values, in an order in which the beginning of an iteration can compute them.
  llvm::ArrayRef<llvm::Instruction*> moved(const llvm::Loop& loop) { return moved_[&loop]; }

 private:
  bool is_common(const llvm::Value* v) const;
  bool is_known(const llvm::Value* v) const;
  void split_off_counters(llvm::Loop& loop);
  void find_counters(llvm::Loop& loop);
  void find_common(llvm::Loop& loop);
  bool find_common_of_block(llvm::Loop& loop, llvm::BasicBlock& block, llvm::Value* guard);
  void move(llvm::Instruction& i, llvm::Loop& loop);
  llvm::Value* add_guard(llvm::Loop& loop, llvm::BranchInst& branch, const llvm::BasicBlock& to,
                         llvm::Value* before);
  void load_if(llvm::LoadInst& load, llvm::Value* guard, llvm::Loop& loop);

  llvm::Function& f_;
  const DivergentRegion& region_;
  const llvm::LoopInfo& loops_;
  const Uniformity& uniformity_;
  llvm::IRBuilder<> b_;
  llvm::DenseMap<const llvm::Loop*, llvm::SmallVector<CommonCounter, 2>> counters_;
  llvm::DenseMap<const llvm::Loop*, llvm::SmallVector<llvm::Instruction*, 4>> moved_;
  llvm::DenseSet<const llvm::Value*> common_;
};

}  // namespace hither::compiler
