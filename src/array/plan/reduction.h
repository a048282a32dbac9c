// The plan of a reduction: its producers and its kernels.
#pragma once

#include <memory>
#include <optional>

#include "array/plan/cluster.h"
#include "array/plan/epilogue.h"
#include "array/plan/reduce_plan.h"

namespace hither::array {

/// The kernels of one reduction. Only the first stage is planned here. The others depend only on
/// extents and are planned after the stage before has run (see next_stage()).
struct ReductionPlan {
  ReductionPlan() noexcept {}  // leaves the tables uninitialised
  Value* reduction = nullptr;
  Value* result = nullptr;  ///< the reduction, or the root of its epilogue
  Epilogue epilogue;
  Accumulation accumulation;               ///< accumulation of the present stage
  int64_t most_items = 0;                  ///< largest group size on GPUs; 0 elsewhere
  llvm::SmallVector<int, kMaxRank> order;  ///< order in which the operand's axes are walked
  Cluster producers;
  Slot root = 0;
  bool pairs = false;  ///< see ReduceForm
  bool used[kWalks] = {};
  ReduceStage stage;
  /// A dense copy of the operand in `order`, needed when its axes do not collapse. It becomes leaf
  /// 0.
  std::unique_ptr<Cluster> copy;
  LayoutRef view, dense;  ///< layouts of the operand in `order`, and of the copy
};

/// Plans the pending value `reduction`, which may have the epilogue `plan.epilogue`. Returns false
/// when the planner has needs. Throws the error of a failed input.
bool plan_reduction(ReductionPlan& plan, Planner& planner, Value& reduction, Value& result);

/// Plans the stage after `plan.stage`. The partial results become its leaves: the values, and the
/// indices of argmin and argmax. The caller binds them.
void next_stage(ReductionPlan& plan);

/// Makes the stage read pairs of neighbouring columns where the addresses of all leaves are aligned
/// to such a pair. Leaves have memory. The order of operations does not depend on this.
void find_pairs(ReductionPlan& plan) noexcept;

/// The axis order of the result in memory; empty for C order.
Dims result_order(const ReductionPlan& plan);

}  // namespace hither::array
