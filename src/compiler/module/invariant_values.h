// What items that have returned can know of the values by which the remaining ones go on.
#pragma once

#include <memory>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include "compiler/module/barrier_regions.h"

namespace hither::compiler {

/// A part of the kernel between two places where items are together.
struct PlannedRegion {
  Region* region;
  bool has_exits = false;     ///< items return in it
  bool follows_exit = false;  ///< items that have returned pass by
  bool may_hold_returned() const noexcept { return has_exits || follows_exit; }
};

using RegionMap = llvm::DenseMap<const llvm::BasicBlock*, PlannedRegion*>;

/// Values that are the same whether an item has skipped parts of the kernel or not: made of
/// arguments, of what was computed before the first return, and of the phis of loops that count by
/// such, all of it without reading memory.
class InvariantValues {
 public:
  InvariantValues(const std::vector<PlannedRegion>& regions, const RegionMap& region_of);

  bool is_invariant(const llvm::Value* v) const;
  /// A phi at the entry of a region that returned items pass.
  bool is_invariant_phi(const llvm::PHINode* phi) const { return phis_.contains(phi); }
  /// `v`, computed by all items before `at`, where `region` begins.
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
