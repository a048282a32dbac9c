// How the items of a group go on when some have returned.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/module/early_exits.h"
#include "compiler/module/invariant_values.h"

namespace hither::compiler {

/// Made of a kernel without its early exits (early_exits.h); holds when they are back.
class ReturnPlan {
 public:
  ReturnPlan(llvm::Function& f, llvm::BasicBlock* end, const EarlyExits& exits,
             const LocalSize& local_size, const std::string& source_file);

  std::vector<PlannedRegion>& regions() noexcept { return planned_; }
  PlannedRegion* region_of(const llvm::BasicBlock* block) const { return region_of_.lookup(block); }
  /// A part of one of the region's blocks that was split off.
  void add_block(const llvm::BasicBlock* block, PlannedRegion& region) {
    region_of_[block] = &region;
  }
  InvariantValues& invariant() noexcept { return *invariant_; }
  llvm::BasicBlock* end() const noexcept { return end_; }
  bool leads_to_convergent(const llvm::BasicBlock* block) const {
    return exits_.leads_to_convergent(block);
  }
  const EarlyExits& exits() const noexcept { return exits_; }

  /// How items that have returned find their way at the end of a region: not at all, by a steady
  /// condition, or by what the remaining ones say, 0 or 1 being the way if nobody remains.
  enum class Branching : uint8_t { kOne, kInvariant, kVote0, kVote1 };
  Branching branching_of(const PlannedRegion& region) const { return branchings_.lookup(&region); }

 private:
  void find_regions_of(llvm::Function& f, const LocalSize& local_size,
                       const std::string& source_file);
  void mark_following_regions();
  void choose_branchings(llvm::Function& f);

  llvm::BasicBlock* end_;
  const EarlyExits& exits_;
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<PlannedRegion> planned_;
  RegionMap region_of_;
  std::unique_ptr<InvariantValues> invariant_;
  llvm::DenseMap<const PlannedRegion*, Branching> branchings_;
};

}  // namespace hither::compiler
