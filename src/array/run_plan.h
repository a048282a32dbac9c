// Execution of plans.
#pragma once

#include "array/graph/value.h"
#include "array/plan/plan.h"

namespace hither::array {

/// Runs the plan of the pending value `root`: allocates memory, launches the kernels, and makes
/// root and all other stored values ready. Under the graph lock under which the plan was made.
/// Throws Error, with which the caller makes root fail, or WaitFirst, after which root is still
/// pending.
void run(Plan& plan, Value& root);

/// Launches `cluster` after the events `after`. Its last output is stored at `root`; the others get
/// new memory and become ready.
Event run_into(const Cluster& cluster, const Queue& queue, char* root,
               std::span<const Event> after);

/// A new value in C order that `cluster`, which has one output, stores.
ValueRef run_copy(const Cluster& cluster, const Queue& queue, LayoutRef layout, DType dtype,
                  UsmType usm_type);

/// Runs the kernels of a reduction (run_reduction.cpp).
void run_reduction(ReductionPlan& plan);

}  // namespace hither::array
