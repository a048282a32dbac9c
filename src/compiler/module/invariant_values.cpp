#include "compiler/module/invariant_values.h"

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/module/convergent_operation.h"

namespace hither::compiler {

using llvm::Value;

InvariantValues::InvariantValues(const std::vector<PlannedRegion>& regions,
                                 const RegionMap& region_of)
    : region_of_(region_of) {
  for (const PlannedRegion& planned : regions)
    if (planned.follows_exit)
      for (const llvm::PHINode& phi : planned.region->entry->phis()) phis_.insert(&phi);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::PHINode* phi :
         llvm::SmallVector<const llvm::PHINode*, 16>(phis_.begin(), phis_.end()))
      if (!has_one_value(*phi)) {
        changed = phis_.erase(phi);
        known_.clear();
      }
  }
}

/// Whether each region that returned items leave passes one invariant value, on all of its edges.
bool InvariantValues::has_one_value(const llvm::PHINode& phi) const {
  llvm::DenseMap<const PlannedRegion*, const Value*> values;
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    const PlannedRegion* from = region_of_.lookup(phi.getIncomingBlock(k));
    if (!from || !from->may_hold_returned()) continue;
    const Value* value = phi.getIncomingValue(k);
    const auto [known, is_new] = values.try_emplace(from, value);
    if (known->second != value || (is_new && !is_invariant(value))) return false;
  }
  return true;
}

/// Whether items that have returned have computed it too.
bool InvariantValues::is_there(const llvm::Instruction& i, const PlannedRegion& region) const {
  if (!region.may_hold_returned()) return true;
  if (i.getParent() != region.region->entry) return false;
  if (!region.follows_exit || is_convergent(i)) return true;
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&i);
  return phi && phis_.contains(phi);
}

bool InvariantValues::is_invariant(const Value* v) const {
  const auto* i = llvm::dyn_cast<llvm::Instruction>(v);
  if (!i) return true;
  const PlannedRegion* region = region_of_.lookup(i->getParent());
  if (!region) return false;
  if (is_there(*i, *region)) return true;
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(i) || i->mayReadFromMemory()) return false;
  if (const auto found = known_.find(i); found != known_.end()) return found->second;
  const bool invariant =
      llvm::isSafeToSpeculativelyExecute(i) &&
      llvm::all_of(i->operands(), [&](const llvm::Use& use) { return is_invariant(use.get()); });
  return known_[i] = invariant;
}

Value* InvariantValues::materialise(Value* v, const PlannedRegion& region, llvm::Instruction* at) {
  auto* i = llvm::dyn_cast<llvm::Instruction>(v);
  if (!i) return v;
  const PlannedRegion* home = region_of_.lookup(i->getParent());
  if (!home || is_there(*i, *home)) return v;
  if (Value* made = made_.lookup({v, &region})) return made;
  llvm::Instruction* copy = i->clone();
  for (llvm::Use& use : copy->operands()) use.set(materialise(use.get(), region, at));
  copy->insertBefore(at);
  copy->setName(i->getName());
  return made_[{v, &region}] = copy;
}

}  // namespace hither::compiler
