// Values that one region of a kernel computes and another one uses.
#pragma once

#include <memory>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PointerIntPair.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/module/barrier_regions.h"
#include "compiler/module/error_exits.h"
#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// The variable of a value; or, if true, the one from which a phi takes its value at the entry of
/// its region.
using Slot = llvm::PointerIntPair<const llvm::Instruction*, 1, bool>;

/// Decides how values reach other regions. A uniform value gets one variable for the group, another
/// value one variable for each item. Values that are computed from ids, arguments and uniform
/// values alone are recomputed if that is cheap.
class CrossingValues {
 public:
  CrossingValues(llvm::Function& f, const Uniformity& uniformity,
                 const std::vector<std::unique_ptr<Region>>& regions, const ErrorExits& exits);

  /// Whether an instruction of the same visit to `region` precedes its user.
  bool is_local(const Region& region, const llvm::Instruction& i) const;
  /// The same for all items of a group at all of its uses.
  bool is_uniform(const llvm::Value& v) const;
  /// Whether the value is recomputed rather than stored.
  bool is_repeated(const llvm::Instruction& i) const { return repeated_.contains(&i); }
  /// The instructions that need a variable, because other regions use them.
  const llvm::SetVector<const llvm::Instruction*>& kept() const noexcept { return kept_; }
  /// Phis with values from other regions.
  const llvm::SetVector<const llvm::PHINode*>& phis() const noexcept { return phis_; }
  /// The slot whose memory this one shares; itself for the first of those that share memory. A phi
  /// shares memory with the values that it takes if none of them is overwritten too early.
  Slot first_of(Slot slot) const;

 private:
  void find_repeated(llvm::Function& f);
  bool can_be_repeated(const llvm::Instruction& i) const;
  void use(const Region& region, const llvm::Value* value);
  void use_all(const Region& region, llvm::BasicBlock& block);
  void use_by_group_function(const Region& region, const llvm::CallInst& operation);
  void share_memory(const std::vector<std::unique_ptr<Region>>& regions);
  void use_in_exits(const Region& region);

  const Uniformity& uniformity_;
  const ErrorExits& exits_;
  llvm::DominatorTree dominators_;
  llvm::DenseMap<const llvm::Instruction*, int> repeated_;  ///< and the number of instructions
  llvm::SetVector<const llvm::Instruction*> kept_;
  llvm::SetVector<const llvm::PHINode*> phis_;
  llvm::DenseMap<const Region*, llvm::SetVector<const llvm::Instruction*>> read_;
  llvm::DenseMap<Slot, Slot> first_;
};

/// Calls body(phi, value) for the phis of region entries that get a value when items leave `region`
/// from `block`.
template <class Body>
void for_each_outgoing_phi(const Region& region, llvm::BasicBlock* block, const Body& body) {
  llvm::SmallVector<llvm::BasicBlock*, 4> seen;
  for (llvm::BasicBlock* to : llvm::successors(block)) {
    if (region.is_inner(block, to) || llvm::is_contained(seen, to)) continue;
    seen.push_back(to);
    for (llvm::PHINode& phi : to->phis()) body(phi, phi.getIncomingValueForBlock(block));
  }
}

}  // namespace hither::compiler
