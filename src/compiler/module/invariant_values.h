// Values that do not depend on which regions of a kernel an item has skipped.
#pragma once

#include <memory>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include "compiler/module/barrier_regions.h"

namespace hither::compiler {

/// A region of the kernel as ReturnPlan sees it.
struct PlannedRegion {
  Region* region;
  bool has_exits = false;     ///< items return in it
  bool follows_exit = false;  ///< items that have returned pass it
  bool may_hold_returned() const noexcept { return has_exits || follows_exit; }
};

using RegionMap = llvm::DenseMap<const llvm::BasicBlock*, PlannedRegion*>;

/// Values that are the same in items that have returned as in the others. They consist of
/// arguments, values computed before the first return, and phis of loops that count by such values.
/// None of them is read from memory.
class InvariantValues {
 public:
  InvariantValues(const std::vector<PlannedRegion>& regions, const RegionMap& region_of);

  bool is_invariant(const llvm::Value* v) const;
  /// Whether this phi, at the entry of a region that returned items pass, is invariant.
  bool is_invariant_phi(const llvm::PHINode* phi) const { return phis_.contains(phi); }
  /// Makes `v` available at `at` in `region`, where all items compute it.
  llvm::Value* materialise(llvm::Value* v, const PlannedRegion& region, llvm::Instruction* at);

 private:
  bool is_there(const llvm::Instruction& i, const PlannedRegion& region) const;
  bool has_one_value(const llvm::PHINode& phi) const;

  const RegionMap& region_of_;
  llvm::DenseSet<const llvm::PHINode*> phis_;
  mutable llvm::DenseMap<const llvm::Value*, bool> known_;
  llvm::DenseMap<std::pair<const llvm::Value*, const PlannedRegion*>, llvm::Value*> made_;
};

}  // namespace hither::compiler
