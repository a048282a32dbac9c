// How a reduction becomes kernels: what feeds the first one, and what each does.
#pragma once

#include <memory>
#include <optional>

#include "array/plan/cluster.h"
#include "array/plan/epilogue.h"
#include "array/plan/reduce_plan.h"

namespace hither::array {

/// The kernels of one reduction. The first stage is planned, the others are when it has run: they
/// depend on extents alone (see next_stage()).
struct ReductionPlan {
  ReductionPlan() noexcept {}  // does not clear the tables
  Value* reduction = nullptr;
  Value* result = nullptr;  ///< the reduction, or the root of its epilogue
  Epilogue epilogue;
  Accumulation accumulation;               ///< of the stage
  int64_t most_items = 0;                  ///< of a group on GPUs; 0 elsewhere
  llvm::SmallVector<int, kMaxRank> order;  ///< in which the operand's axes are walked
  Cluster producers;
  Slot root = 0;
  bool pairs = false;  ///< see ReduceForm
  bool used[kWalks] = {};
  ReduceStage stage;
  /// A dense copy of the operand in `order`, which is made first: its axes do not collapse. Then it
  /// is leaf 0.
  std::unique_ptr<Cluster> copy;
  LayoutRef view, dense;  ///< of the operand in `order`, and of the copy
};

/// Plans pending `reduction`, of which `plan.epilogue` may be made. False when the planner's needs
/// come first. Throws the error of a failed input.
bool plan_reduction(ReductionPlan& plan, Planner& planner, Value& reduction, Value& result);

/// Plans the stage after `plan.stage`, whose results become the leaves: values, and indices of
/// argmin and argmax. The caller binds them.
void next_stage(ReductionPlan& plan);

/// Makes the stage read neighbouring columns two by two where each leaf has them at the address of
/// such a pair. Leaves have memory. The order of operations does not depend on it.
void find_pairs(ReductionPlan& plan) noexcept;

/// The order in which the result's axes lie; empty when they lie in C order.
Dims result_order(const ReductionPlan& plan);

}  // namespace hither::array
