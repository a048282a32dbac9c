#include "compiler/module/return_plan.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/TargetParser/Triple.h>

#include <hither/error.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;

/// Branches between whose ways nobody meets are of no account: what lies there is one region.
Uniformity without_small_branches(llvm::Function& f, Uniformity uniformity) {
  const llvm::PostDominatorTree postdominators(f);
  for (const BasicBlock& block : f) {
    if (block.getTerminator()->getNumSuccessors() < 2) continue;
    const Parting parting = parting_at(block, postdominators);
    if (parting.join &&
        llvm::none_of(parting.apart, [](const BasicBlock* b) { return meeting_of(*b) != nullptr; }))
      uniformity.divergent_branches.insert(&block);
  }
  return uniformity;
}

llvm::SmallVector<const BasicBlock*, 2> ways_from(const Region& region) {
  if (region.join) return {region.join};
  if (!region.last) return {};
  return llvm::SmallVector<const BasicBlock*, 2>(llvm::successors(region.last));
}

}  // namespace

WalkPlan::WalkPlan(llvm::Function& f, BasicBlock* end, const EarlyExits& exits,
                   const LocalSize& local_size, const std::string& source_file)
    : end_(end), exits_(exits) {
  find_regions_of(f, local_size, source_file);
  for (const auto& region : regions_) walked_.push_back({region.get()});
  for (WalkedRegion& walked : walked_)
    for (const BasicBlock* block : walked.region->members)
      if (!region_of_.try_emplace(block, &walked).second && block != end)
        refuse(f.getName().str(),
               "the ways between an early return and a later barrier cross; return in one place, "
               "or put the branch around the work and not around the barrier");
  for (const EarlyExit& exit : exits.all()) region_of(exits.block_of(exit))->has_exits = true;
  mark_late();
  steady_ = std::make_unique<SteadyValues>(walked_, region_of_);
  choose_ways(f);
}

void WalkPlan::find_regions_of(llvm::Function& f, const LocalSize& local_size,
                               const std::string& source_file) {
  const Uniformity uniformity = analyse_uniformity(f, local_size);
  try {
    regions_ = find_regions(f, without_small_branches(f, uniformity), source_file);
  } catch (const Error&) {
    regions_ = find_regions(f, uniformity, source_file);
  }
}

void WalkPlan::mark_late() {
  llvm::SmallVector<const WalkedRegion*, 16> open;
  for (const WalkedRegion& walked : walked_)
    if (walked.has_exits) open.push_back(&walked);
  while (!open.empty())
    for (const BasicBlock* to : ways_from(*open.pop_back_val()->region)) {
      WalkedRegion* next = region_of(to);
      if (next->is_late) continue;
      next->is_late = true;
      open.push_back(next);
    }
}

void WalkPlan::choose_ways(llvm::Function& f) {
  const llvm::TargetLibraryInfoImpl known((llvm::Triple(f.getParent()->getTargetTriple())));
  llvm::TargetLibraryInfo library(known);
  llvm::AssumptionCache assumptions(f);
  llvm::DominatorTree dominators(f);
  llvm::LoopInfo loops(dominators);
  llvm::ScalarEvolution evolution(f, library, assumptions, dominators, loops);
  for (const WalkedRegion& walked : walked_) {
    BasicBlock* last = walked.region->last;
    auto* branch = last ? llvm::dyn_cast<llvm::BranchInst>(last->getTerminator()) : nullptr;
    if (!walked.passes() || !branch || !branch->isConditional()) continue;
    // Nobody but the remaining items may know when a loop ends that counts in no simple way.
    bool ends = true;
    Way nobody = Way::kVote1;
    for (llvm::Loop* loop = loops.getLoopFor(last); loop; loop = loop->getParentLoop()) {
      if (!loop->isLoopExiting(last)) break;
      ends = ends && !llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getExitCount(loop, last));
      nobody = loop->contains(branch->getSuccessor(0)) ? Way::kVote1 : Way::kVote0;
    }
    ways_[&walked] = ends && steady_->is_steady(branch->getCondition()) ? Way::kSteady : nobody;
  }
}

}  // namespace hither::compiler
