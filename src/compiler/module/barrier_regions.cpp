#include "compiler/module/barrier_regions.h"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;

class RegionFinder {
 public:
  RegionFinder(llvm::Function& f, const Uniformity& uniformity, const std::string& source_file)
      : f_(f),
        uniformity_(uniformity),
        source_file_(source_file),
        dominators_(f),
        loops_(dominators_),
        postdominators_(f) {}

  std::vector<std::unique_ptr<Region>> run() {
    llvm::SmallVector<BasicBlock*, 16> open{&f_.getEntryBlock()};
    while (!open.empty()) {
      BasicBlock* entry = open.pop_back_val();
      if (by_entry_.contains(entry)) continue;
      regions_.push_back(form(entry));
      by_entry_[entry] = regions_.back().get();
      for (BasicBlock* next : targets(*regions_.back())) open.push_back(next);
    }
    merge();
    for (auto& region : regions_) sort(*region);
    return std::move(regions_);
  }

 private:
  static llvm::SmallVector<BasicBlock*, 4> targets(const Region& region) {
    if (region.join) return {region.join};
    llvm::SmallVector<BasicBlock*, 4> result;
    if (region.last)
      for (BasicBlock* next : llvm::successors(region.last))
        if (!llvm::is_contained(result, next)) result.push_back(next);
    return result;
  }

  BasicBlock* postdominator(BasicBlock* block) const {
    auto* node = postdominators_.getNode(block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  /// The reconvergence point of a loop that items leave in different iterations.
  BasicBlock* end_of_divergent_loop(BasicBlock* header) const {
    llvm::Loop* loop = loops_.getLoopFor(header);
    if (!loop || loop->getHeader() != header) return nullptr;
    llvm::SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    BasicBlock* end = nullptr;
    for (BasicBlock* block : exiting) {
      if (!uniformity_.branches(block)) continue;
      BasicBlock* join = postdominator(block);
      end = end && join ? postdominators_.findNearestCommonDominator(end, join) : join;
    }
    return end;
  }

  std::unique_ptr<Region> form(BasicBlock* entry) {
    auto region = std::make_unique<Region>();
    region->entry = entry;
    region->members.insert(entry);
    region->join = end_of_divergent_loop(entry);
    if (!region->join && uniformity_.branches(entry)) region->join = postdominator(entry);
    if (region->join) {
      collect(*region);
    } else {
      region->last = entry;
      single_target(*region);
    }
    return region;
  }

  /// Adds all blocks between the entry and the join.
  void collect(Region& region) {
    llvm::SmallVector<BasicBlock*, 16> open{region.entry};
    while (!open.empty()) {
      BasicBlock* block = open.pop_back_val();
      for (BasicBlock* next : llvm::successors(block)) {
        if (next == region.join || !region.members.insert(next).second) continue;
        if (const llvm::CallInst* operation = convergent_operation_of(*next))
          refuse_divergent(*operation);
        open.push_back(next);
      }
    }
    if (const llvm::CallInst* operation = convergent_operation_of(*region.entry))
      if (llvm::any_of(llvm::predecessors(region.entry),
                       [&](BasicBlock* p) { return region.contains(p); }))
        refuse_divergent(*operation);
  }

  [[noreturn]] void refuse_divergent(const llvm::CallInst& operation) const {
    const std::string place = place_of(operation, source_file_);
    refuse(
        f_.getName().str(),
        fmt::format(
            "{}{} is not reached by all work-items of a group, because whether or how often it "
            "runs depends on the work-item; move it out of the branch or loop, or use a condition "
            "that is the same for the whole group, such as group_any_of(condition) (work-items may "
            "return before it, if no code follows the branch or loop that they leave)",
            place.empty() ? "" : "at " + place + ", ", description_of(operation)));
  }

  static void single_target(Region& region) {
    const auto next = targets(region);
    if (next.size() != 1) return;
    region.join = next[0];
    region.last = nullptr;
  }

  /// Merges each region with its only successor if no other region leads there.
  void merge() {
    llvm::DenseMap<const BasicBlock*, int> entered;
    for (const auto& region : regions_)
      for (BasicBlock* next : targets(*region)) ++entered[next];
    const BasicBlock* start = &f_.getEntryBlock();
    for (auto& region : regions_) {
      while (region && region->join && region->join != region->entry && region->join != start &&
             entered[region->join] == 1 && !convergent_operation_of(*region->join)) {
        Region* next = by_entry_[region->join];
        // The block is already here as a part of another path.
        if (llvm::any_of(next->members, [&](auto* b) { return region->contains(b); })) break;
        region->members.insert(next->members.begin(), next->members.end());
        region->join = next->join;
        region->last = next->last;
        by_entry_.erase(next->entry);
        std::ranges::find_if(regions_, [&](auto& r) { return r.get() == next; })->reset();
      }
    }
    std::erase(regions_, nullptr);
  }

  void sort(Region& region) const {
    llvm::SmallVector<BasicBlock*, 8> postorder;
    llvm::DenseSet<BasicBlock*> seen{region.entry};
    llvm::SmallVector<std::pair<BasicBlock*, llvm::succ_iterator>, 8> path;
    path.push_back({region.entry, llvm::succ_begin(region.entry)});
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next == llvm::succ_end(block)) {
        postorder.push_back(block);
        path.pop_back();
        continue;
      }
      BasicBlock* to = *next++;
      if (region.is_inner(block, to) && seen.insert(to).second)
        path.push_back({to, llvm::succ_begin(to)});
    }
    region.blocks.assign(postorder.rbegin(), postorder.rend());
  }

  llvm::Function& f_;
  const Uniformity& uniformity_;
  const std::string& source_file_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::PostDominatorTree postdominators_;
  std::vector<std::unique_ptr<Region>> regions_;
  llvm::DenseMap<const BasicBlock*, Region*> by_entry_;
};

}  // namespace

bool Region::is_tight_loop() const {
  if (!last || convergent_operation_of(*entry)) return false;
  const llvm::Instruction* end = last->getTerminator();
  return end->getNumSuccessors() == 2 &&
         (end->getSuccessor(0) == entry) != (end->getSuccessor(1) == entry);
}

std::vector<std::unique_ptr<Region>> find_regions(llvm::Function& f, const Uniformity& uniformity,
                                                  const std::string& source_file) {
  return RegionFinder(f, uniformity, source_file).run();
}

}  // namespace hither::compiler
