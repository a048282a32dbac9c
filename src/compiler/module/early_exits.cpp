#include "compiler/module/early_exits.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/module/convergent_operation.h"

namespace hither::compiler {

using llvm::BasicBlock;

/// Whether all remaining items that reach `block` agree on `condition`.
static bool agree(const Uniformity& uniformity, const llvm::LoopInfo& loops,
                  const llvm::Value* condition, const BasicBlock* block) {
  if (!uniformity.is_uniform(condition)) return false;
  if (!uniformity.divergent_outside.contains(condition)) return true;
  const llvm::Loop* loop = loops.getLoopFor(llvm::cast<llvm::Instruction>(condition)->getParent());
  return loop && loop->contains(block);
}

EarlyExits::EarlyExits(llvm::Function& f, BasicBlock* end, const LocalSize& local_size)
    : f_(f), end_(end) {
  find_candidates();
  if (exits_.empty()) return;
  detach_divergent(local_size);
  restore_uniform(local_size);
  restore_shared();
  llvm::erase_if(exits_, [&](const EarlyExit& exit) { return !blocks_.contains(exit.branch); });
}

EarlyExits::~EarlyExits() {
  for (auto& [branch, block] : blocks_) const_cast<llvm::BranchInst*>(branch)->deleteValue();
}

void EarlyExits::restore() {
  for (const EarlyExit& exit : exits_) put_back(exit);
}

void EarlyExits::find_candidates() {
  llvm::SmallVector<const BasicBlock*, 16> open;
  for (BasicBlock& block : f_)
    if (convergent_operation_of(block) && leads_.insert(&block).second) open.push_back(&block);
  while (!open.empty())
    for (const BasicBlock* from : llvm::predecessors(open.pop_back_val()))
      if (from && leads_.insert(from).second) open.push_back(from);  // null: a detached branch
  for (BasicBlock* block : llvm::depth_first(&f_.getEntryBlock())) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    const bool first = leads_to_convergent(branch->getSuccessor(0));
    if (first != leads_to_convergent(branch->getSuccessor(1)))
      exits_.push_back({branch, branch->getSuccessor(first ? 1 : 0)});
  }
}

/// Detaches the exits that would make others look divergent. First come those that are divergent by
/// their operands alone, then all that are not loop conditions, then loop conditions if the loop
/// has another exit.
void EarlyExits::detach_divergent(const LocalSize& local_size) {
  const Uniformity operands = analyse_operands(f_, local_size);
  const llvm::DominatorTree dominators(f_);
  const llvm::LoopInfo loops(dominators);
  auto tests_a_loop = [&](const BasicBlock* block) {
    const llvm::Loop* loop = loops.getLoopFor(block);
    return loop && (loop->getHeader() == block || loop->isLoopLatch(block));
  };
  auto order = [&](const EarlyExit& exit) {
    const BasicBlock* block = exit.branch->getParent();
    if (!operands.is_uniform(exit.branch->getCondition())) return 0;
    return tests_a_loop(block) ? 2 : 1;
  };
  llvm::SmallVector<llvm::SmallVector<EarlyExit, 4>, 3> ranks(3);
  for (const EarlyExit& exit : exits_) ranks[static_cast<size_t>(order(exit))].push_back(exit);
  for (const auto& rank : ranks)
    for (const EarlyExit& exit : rank) try_detach(exit);
}

/// Attaches the exits again that are uniform among the remaining items.
void EarlyExits::restore_uniform(const LocalSize& local_size) {
  const Uniformity uniformity = analyse_uniformity(f_, local_size);
  const llvm::PostDominatorTree postdominators(f_);
  const llvm::DominatorTree dominators(f_);
  const llvm::LoopInfo loops(dominators);
  llvm::DenseSet<const BasicBlock*> blocks;
  for (const BasicBlock* branch : uniformity.divergent_branches) {
    const Divergence divergence = divergence_at(*branch, postdominators);
    blocks.insert(divergence.blocks.begin(), divergence.blocks.end());
  }
  llvm::SmallVector<EarlyExit, 4> uniform;
  for (const EarlyExit& exit : exits_)
    if (blocks_.contains(exit.branch) && !blocks.contains(block_of(exit)) &&
        agree(uniformity, loops, exit.branch->getCondition(), block_of(exit)))
      uniform.push_back(exit);
  for (const EarlyExit& exit : uniform) put_back(exit);
}

/// Attaches the exits again whose blocks remaining items run too.
void EarlyExits::restore_shared() {
  for (bool changed = true; changed;) {
    changed = false;
    const llvm::DenseSet<BasicBlock*> live = live_blocks();
    for (const EarlyExit& exit : exits_) {
      if (!blocks_.contains(exit.branch) || !is_shared(exit, live)) continue;
      put_back(exit);
      changed = true;
    }
  }
}

bool EarlyExits::is_shared(const EarlyExit& exit, const llvm::DenseSet<BasicBlock*>& live) const {
  return llvm::any_of(exit_blocks(exit, end_), [&](BasicBlock* b) { return live.contains(b); });
}

bool EarlyExits::try_detach(const EarlyExit& exit) {
  detach(exit);
  if (all_reach_the_end()) return true;
  put_back(exit);
  return false;
}

void EarlyExits::detach(const EarlyExit& exit) {
  BasicBlock* block = exit.branch->getParent();
  blocks_[exit.branch] = block;
  const unsigned other = exit.branch->getSuccessor(0) == exit.to ? 1 : 0;
  exit.branch->removeFromParent();
  llvm::BranchInst::Create(exit.branch->getSuccessor(other), block);
}

void EarlyExits::put_back(const EarlyExit& exit) {
  const auto found = blocks_.find(exit.branch);
  if (found == blocks_.end()) return;
  BasicBlock* block = found->second;
  blocks_.erase(found);
  block->getTerminator()->eraseFromParent();
  exit.branch->insertInto(block, block->end());
}

llvm::DenseSet<BasicBlock*> EarlyExits::live_blocks() const {
  llvm::DenseSet<BasicBlock*> live;
  for (BasicBlock* block : llvm::depth_first(&f_.getEntryBlock())) live.insert(block);
  return live;
}

bool EarlyExits::all_reach_the_end() const {
  llvm::DenseSet<BasicBlock*> reaching{end_};
  llvm::SmallVector<BasicBlock*, 16> open{end_};
  while (!open.empty())
    for (BasicBlock* from : llvm::predecessors(open.pop_back_val()))
      if (from && reaching.insert(from).second) open.push_back(from);
  return llvm::all_of(live_blocks(), [&](BasicBlock* b) { return reaching.contains(b); });
}

llvm::SmallVector<BasicBlock*, 4> exit_blocks(const EarlyExit& exit, BasicBlock* end) {
  llvm::SmallVector<BasicBlock*, 4> way;
  llvm::DenseSet<BasicBlock*> seen{end};
  if (seen.insert(exit.to).second) way.push_back(exit.to);
  for (size_t i = 0; i < way.size(); ++i)
    for (BasicBlock* to : llvm::successors(way[i]))
      if (seen.insert(to).second) way.push_back(to);
  return way;
}

}  // namespace hither::compiler
