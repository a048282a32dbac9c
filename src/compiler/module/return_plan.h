// Plans the control flow of a group in which some items have returned.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/module/early_exits.h"
#include "compiler/module/invariant_values.h"

namespace hither::compiler {

/// Is made from a kernel whose early exits are detached (early_exits.h). It remains valid when they
/// are attached again.
class ReturnPlan {
 public:
  ReturnPlan(llvm::Function& f, llvm::BasicBlock* end, const EarlyExits& exits,
             const LocalSize& local_size, const std::string& source_file);

  std::vector<PlannedRegion>& regions() noexcept { return planned_; }
  PlannedRegion* region_of(const llvm::BasicBlock* block) const { return region_of_.lookup(block); }
  /// Adds a block that was split from one of the region's blocks.
  void add_block(const llvm::BasicBlock* block, PlannedRegion& region) {
    region_of_[block] = &region;
  }
  InvariantValues& invariant() noexcept { return *invariant_; }
  llvm::BasicBlock* end() const noexcept { return end_; }
  bool leads_to_convergent(const llvm::BasicBlock* block) const {
    return exits_.leads_to_convergent(block);
  }
  const EarlyExits& exits() const noexcept { return exits_; }

  /// How items that have returned choose the successor at the end of a region. kOne: there is only
  /// one. kInvariant: by an invariant condition. kVote0 and kVote1: by a vote of the remaining
  /// items; if none remain, the branch's successor 0 or 1.
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
