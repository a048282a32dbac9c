// The distance in memory between the accesses of neighbouring items.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// Analyses the addresses of a function of one group (group_kernel.h). Neighbours are items whose
/// local ids differ by one in dimension `dim`. Valid until the function changes.
class ItemStrides {
 public:
  ItemStrides(llvm::Function& f, const Uniformity& uniformity, int dim);

  const llvm::LoopInfo& loops() const noexcept { return loops_; }
  llvm::ScalarEvolution& evolution() noexcept { return evolution_; }
  /// Bytes between the accesses of two neighbouring items, if it is a constant.
  std::optional<int64_t> of_items(const llvm::SCEV* address);
  /// Bytes between the accesses of two iterations of `loop`, if it is a constant.
  std::optional<int64_t> of_iterations(const llvm::SCEV* address, const llvm::Loop& loop);

 private:
  const Uniformity& uniformity_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl names_;
  llvm::TargetLibraryInfo library_;
  llvm::ScalarEvolution evolution_;
  llvm::ValueToSCEVMapTy next_item_;  ///< for each local id, that of the next item
};

}  // namespace hither::compiler
