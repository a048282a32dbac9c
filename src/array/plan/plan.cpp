#include "array/plan/plan.h"

#include <hither/recording.h>

namespace hither::array {

namespace {

/// Whether the recipe computes its operand itself, or the planner has needs. An operand that a
/// storage names is stored first, as are nodes that the recipe's kernels cannot compute.
bool try_producers(RecipePlan& plan, Planner& planner, Value& root) {
  const Input& in = root.inputs[0];
  if (!root.recipe->computes_operand() || !planner.fuses(in) || Recorder::is_active()) return false;
  plan.producers = std::make_unique<Cluster>();
  Cluster& nodes = *plan.producers;
  if (plan_producers(nodes, planner, in, in.value->shape(), plan.root) &&
      (nodes.form.output_count > 0 || !root.recipe->computes(nodes, root.queue)))
    planner.need(*in.value);
  return true;
}

bool plan_recipe(RecipePlan& plan, Planner& planner, Value& root) {
  if (try_producers(plan, planner, root)) return planner.needs.empty();
  for (int i = 0; i < root.input_count; ++i) {
    const Input& in = root.inputs[i];
    if (!in.value) continue;
    if (planner.is_pending(*in.value))
      planner.need(*in.value);
    else
      require_ready(*in.value);
  }
  if (!planner.needs.empty()) return false;
  if (!root.recipe->needs_c_order()) return true;
  for (int i = 0; i < root.input_count; ++i) {
    const Input& in = root.inputs[i];
    if (in.value && (!in.layout || in.layout->contiguous)) continue;
    plan.copies[i] = std::make_unique<Cluster>();
    if (in.value)
      plan_copy(*plan.copies[i], {in.value.get(), in.layout.get()}, in.dtype, in.dtype,
                in.layout->shape, nullptr, root.queue);
    else
      plan_number(*plan.copies[i], in, root.recipe->operand_size(root, i));
  }
  return true;
}

// Whether a reduction has to use a row kernel with teams. It keeps their order of operations
// whatever its producers are. Producers that do not fit its kernel are therefore stored first.
bool must_go_by_rows(const Planner& planner, const Value& reduction) {
  RowPlan plan;
  const Input& in = reduction.inputs[0];
  return in.value && planner.is_pending(*in.value) &&
         plan_row(reduction.queue.device(), *reduction.reduce, plan) && plan.team > 0 &&
         walks_in_order(reduction);
}

/// Whether rows were planned, or the planner has needs.
bool try_rows(Plan& plan, Planner& planner, Value& root,
              std::span<const ValueRef> companions = {}) {
  if (!root.reduces) return false;
  if (plan_rows(plan.make_rows(), planner, root, companions)) return true;
  plan.reset();
  return !planner.needs.empty();
}

bool plan_reduce(Plan& plan, Planner& planner, Value& root) {
  if (must_go_by_rows(planner, root)) {
    planner.need(*root.inputs[0].value);
    return false;
  }
  return plan_reduction(plan.make_reduction(), planner, root, root);
}

// Plans the element-wise value `root` as an epilogue of the reduction that it reads. False where it
// reads none. If the reduction uses a row kernel, that is submitted first.
bool try_epilogue(Plan& plan, Planner& planner, Value& root) {
  ReductionPlan& p = plan.make_reduction();
  if (!find_epilogue(p.epilogue, planner, root)) {
    plan.reset();
    return false;
  }
  Value& reduction = *p.epilogue.reduction;
  Plan rows;
  if (!try_rows(rows, planner, reduction) && !must_go_by_rows(planner, reduction))
    return plan_reduction(p, planner, reduction, root) || !planner.needs.empty();
  if (planner.needs.empty()) planner.need(reduction);
  return true;
}

}  // namespace

bool plan_value(Plan& plan, Planner& planner, Value& root, std::span<const ValueRef> companions) {
  if (root.layout->size == 0) return true;
  if (root.kind == ValueKind::kRecipe) return plan_recipe(plan.make_recipe(), planner, root);
  if (try_rows(plan, planner, root, companions)) return planner.needs.empty();
  if (root.kind == ValueKind::kReduce) return plan_reduce(plan, planner, root);
  if (root.reduces && companions.empty() && try_epilogue(plan, planner, root))
    return planner.needs.empty();
  return plan_fused(plan.make_fused(), planner, root, nullptr, companions);
}

}  // namespace hither::array
