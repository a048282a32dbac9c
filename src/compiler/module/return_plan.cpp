#include "compiler/module/return_plan.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <hither/error.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;

/// Treats branches without convergent operations between them and their join as divergent, so that
/// all blocks up to the join are one region.
Uniformity merge_regions_without_convergence(llvm::Function& f, Uniformity uniformity) {
  const llvm::PostDominatorTree postdominators(f);
  for (const BasicBlock& block : f) {
    if (block.getTerminator()->getNumSuccessors() < 2) continue;
    const Divergence divergence = divergence_at(block, postdominators);
    if (divergence.join && llvm::none_of(divergence.blocks, [](const BasicBlock* b) {
          return convergent_operation_of(*b) != nullptr;
        }))
      uniformity.divergent_branches.insert(&block);
  }
  return uniformity;
}

llvm::SmallVector<const BasicBlock*, 2> successors_of(const Region& region) {
  if (region.join) return {region.join};
  if (!region.last) return {};
  return llvm::SmallVector<const BasicBlock*, 2>(llvm::successors(region.last));
}

}  // namespace

ReturnPlan::ReturnPlan(llvm::Function& f, BasicBlock* end, const EarlyExits& exits,
                       const LocalSize& local_size, const std::string& source_file)
    : end_(end), exits_(exits) {
  find_regions_of(f, local_size, source_file);
  for (const auto& region : regions_) planned_.push_back({region.get()});
  for (PlannedRegion& planned : planned_)
    for (const BasicBlock* block : planned.region->members)
      if (!region_of_.try_emplace(block, &planned).second && block != end)
        refuse(f.getName().str(),
               "the control flow between an early return and a later barrier is not supported; "
               "return in one place, "
               "or put the branch around the work and not around the barrier");
  for (const EarlyExit& exit : exits.all()) region_of(exits.block_of(exit))->has_exits = true;
  mark_following_regions();
  invariant_ = std::make_unique<InvariantValues>(planned_, region_of_);
  choose_branchings(f);
}

void ReturnPlan::find_regions_of(llvm::Function& f, const LocalSize& local_size,
                                 const std::string& source_file) {
  const Uniformity uniformity = analyse_uniformity(f, local_size);
  try {
    regions_ = find_regions(f, merge_regions_without_convergence(f, uniformity), source_file);
  } catch (const Error&) {
    regions_ = find_regions(f, uniformity, source_file);
  }
}

void ReturnPlan::mark_following_regions() {
  llvm::SmallVector<const PlannedRegion*, 16> open;
  for (const PlannedRegion& planned : planned_)
    if (planned.has_exits) open.push_back(&planned);
  while (!open.empty())
    for (const BasicBlock* to : successors_of(*open.pop_back_val()->region)) {
      PlannedRegion* next = region_of(to);
      if (next->follows_exit) continue;
      next->follows_exit = true;
      open.push_back(next);
    }
}

void ReturnPlan::choose_branchings(llvm::Function& f) {
  const llvm::TargetLibraryInfoImpl known((llvm::Triple(f.getParent()->getTargetTriple())));
  llvm::TargetLibraryInfo library(known);
  llvm::AssumptionCache assumptions(f);
  llvm::DominatorTree dominators(f);
  llvm::LoopInfo loops(dominators);
  llvm::ScalarEvolution evolution(f, library, assumptions, dominators, loops);
  for (const PlannedRegion& planned : planned_) {
    BasicBlock* last = planned.region->last;
    auto* branch = last ? llvm::dyn_cast<llvm::BranchInst>(last->getTerminator()) : nullptr;
    if (!planned.may_hold_returned() || !branch || !branch->isConditional()) continue;
    // If the loop has no computable trip count, only the remaining items know when it ends.
    bool ends = true;
    Branching vote = Branching::kVote1;
    for (llvm::Loop* loop = loops.getLoopFor(last); loop; loop = loop->getParentLoop()) {
      if (!loop->isLoopExiting(last)) break;
      ends = ends && !llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getExitCount(loop, last));
      vote = loop->contains(branch->getSuccessor(0)) ? Branching::kVote1 : Branching::kVote0;
    }
    branchings_[&planned] =
        ends && invariant_->is_invariant(branch->getCondition()) ? Branching::kInvariant : vote;
  }
}

}  // namespace hither::compiler
