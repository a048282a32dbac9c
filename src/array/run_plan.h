// Plans become launches.
#pragma once

#include "array/graph/value.h"
#include "array/plan/plan.h"

namespace hither::array {

/// Runs the plan of pending `root`: takes memory, launches, and makes ready the root and whatever
/// else the kernels stored. Under the graph lock under which the plan was made. Throws Error, with
/// which the root is to fail, or WaitFirst; the root is pending then.
void run(Plan& plan, Value& root);

/// Takes memory for the outputs of `cluster` but the last one, whose address is `root`, launches it
/// after the events `after`, and makes those outputs ready.
Event run_into(const Cluster& cluster, const Queue& queue, char* root,
               std::span<const Event> after);

/// A new value in C order that `cluster`, which has one output, stores.
ValueRef run_copy(const Cluster& cluster, const Queue& queue, LayoutRef layout, DType dtype,
                  UsmType usm_type);

/// The kernels of a reduction, in run_reduction.cpp.
void run_reduction(ReductionPlan& plan);

}  // namespace hither::array
