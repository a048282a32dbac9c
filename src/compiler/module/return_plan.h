// How the items of a group go on when some have returned.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/module/early_exits.h"
#include "compiler/module/invariant_values.h"

namespace hither::compiler {

/// Made of a kernel without its early exits (early_exits.h); holds when they are back.
class WalkPlan {
 public:
  WalkPlan(llvm::Function& f, llvm::BasicBlock* end, const EarlyExits& exits,
           const LocalSize& local_size, const std::string& source_file);

  std::vector<WalkedRegion>& regions() noexcept { return walked_; }
  WalkedRegion* region_of(const llvm::BasicBlock* block) const { return region_of_.lookup(block); }
  /// A part of one of the region's blocks that was split off.
  void add_block(const llvm::BasicBlock* block, WalkedRegion& region) {
    region_of_[block] = &region;
  }
  SteadyValues& steady() noexcept { return *steady_; }
  llvm::BasicBlock* end() const noexcept { return end_; }
  bool leads_to_meeting(const llvm::BasicBlock* block) const {
    return exits_.leads_to_meeting(block);
  }
  const EarlyExits& exits() const noexcept { return exits_; }

  /// How items that have returned find their way at the end of a region: not at all, by a steady
  /// condition, or by what the remaining ones say, 0 or 1 being the way if nobody remains.
  enum class Way : uint8_t { kOne, kSteady, kVote0, kVote1 };
  Way way_of(const WalkedRegion& region) const { return ways_.lookup(&region); }

 private:
  void find_regions_of(llvm::Function& f, const LocalSize& local_size,
                       const std::string& source_file);
  void mark_late();
  void choose_ways(llvm::Function& f);

  llvm::BasicBlock* end_;
  const EarlyExits& exits_;
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<WalkedRegion> walked_;
  RegionMap region_of_;
  std::unique_ptr<SteadyValues> steady_;
  llvm::DenseMap<const WalkedRegion*, Way> ways_;
};

}  // namespace hither::compiler
