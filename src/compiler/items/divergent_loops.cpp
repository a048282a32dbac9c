#include "compiler/items/divergent_loops.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Loop;

class RegionSearch {
 public:
  RegionSearch(llvm::Function& f, const llvm::LoopInfo& loops, const Uniformity& uniformity)
      : f_(f), loops_(loops), uniformity_(uniformity), postdominators_(f) {}

  std::optional<std::vector<DivergentRegion>> run() {
    for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&f_)) {
      if (covered_.contains(block)) continue;
      const Loop* loop = loops_.getLoopFor(block);
      if (loop && loop->getHeader() == block && !uniformity_.leave_together(*loop)) {
        if (!add(loop->getLoopPreheader(), end_of(*loop))) return std::nullopt;
      } else if (uniformity_.branches(block) && !add(block, postdominator(block))) {
        return std::nullopt;
      }
    }
    return std::move(regions_);
  }

 private:
  BasicBlock* postdominator(const BasicBlock* block) const {
    auto* node = postdominators_.getNode(block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  /// Where all items continue that left `loop` by any exit.
  BasicBlock* end_of(const Loop& loop) const {
    llvm::SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    BasicBlock* end = exits.empty() ? nullptr : exits[0];
    for (BasicBlock* exit : exits)
      if (end) end = postdominators_.findNearestCommonDominator(end, exit);
    return end;
  }

  /// Adds the region from `before` to `join` or a later block if it contains loops. Returns false
  /// if it has no form that items can run together.
  bool add(BasicBlock* before, BasicBlock* join) {
    if (!before) return false;
    DivergentRegion region{before, join, {}, {}};
    while (region.join) {
      collect(region);
      join = common_join(region);
      if (join == region.join) break;
      region.join = join;
    }
    collect(region);
    const bool has_loops =
        llvm::any_of(region.blocks, [&](auto* block) { return loops_.isLoopHeader(block); });
    if (!has_loops) return true;
    if (!region.join || region.contains(before) || !contains_whole_loops(region)) return false;
    covered_.insert(region.blocks.begin(), region.blocks.end());
    regions_.push_back(std::move(region));
    return true;
  }

  static void collect(DivergentRegion& region) {
    region.blocks.clear();
    region.members.clear();
    llvm::SmallVector<BasicBlock*, 16> open{region.before};
    while (!open.empty())
      for (BasicBlock* to : llvm::successors(open.pop_back_val()))
        if (to != region.join && region.members.insert(to).second) {
          region.blocks.push_back(to);
          open.push_back(to);
        }
  }

  /// Where all items continue that took any of the divergent branches in the region.
  BasicBlock* common_join(const DivergentRegion& region) const {
    BasicBlock* join = region.join;
    for (BasicBlock* block : region.blocks) {
      if (!join || !uniformity_.branches(block)) continue;
      BasicBlock* own = postdominator(block);
      if (own && region.contains(own)) continue;
      join = own ? postdominators_.findNearestCommonDominator(join, own) : nullptr;
    }
    return join;
  }

  bool contains_whole_loops(const DivergentRegion& region) const {
    return llvm::all_of(region.blocks, [&](BasicBlock* block) {
      const Loop* loop = loops_.getLoopFor(block);
      if (!loop || !loop->contains(region.before)) {
        if (!loops_.isLoopHeader(block)) return true;
        return loop->getLoopPreheader() && loop->getLoopLatch() &&
               llvm::all_of(loop->blocks(), [&](auto* b) { return region.contains(b); });
      }
      return loop->getHeader() != block && loop->contains(region.join);
    });
  }

  llvm::Function& f_;
  const llvm::LoopInfo& loops_;
  const Uniformity& uniformity_;
  llvm::PostDominatorTree postdominators_;
  llvm::DenseSet<const BasicBlock*> covered_;
  std::vector<DivergentRegion> regions_;
};

}  // namespace

Loop* DivergentRegion::loop_of(const llvm::LoopInfo& loops, const BasicBlock* block) const {
  Loop* loop = loops.getLoopFor(block);
  return loop && contains(loop->getHeader()) ? loop : nullptr;
}

Loop* DivergentRegion::parent_of(const Loop& loop) const {
  Loop* parent = loop.getParentLoop();
  return parent && contains(parent->getHeader()) ? parent : nullptr;
}

std::optional<std::vector<DivergentRegion>> find_divergent_loops(llvm::Function& f,
                                                                 const llvm::LoopInfo& loops,
                                                                 const Uniformity& uniformity) {
  return RegionSearch(f, loops, uniformity).run();
}

}  // namespace hither::compiler
