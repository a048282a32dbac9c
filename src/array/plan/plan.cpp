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
    const Layout* const at = i == 1 ? root.recipe->inserts_at() : nullptr;
    if (at && planner.is_pending(*in.value))
      plan_fused(*std::make_unique<Cluster>(), planner, *in.value, at, {});  // for what it needs
    else if (planner.is_pending(*in.value))
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

bool is_same(const Layout& x, const Layout& y) {
  return x.offset == y.offset && x.shape == y.shape && x.strides == y.strides;
}

// Whether `root` reads the elements of its input one by one, in the shape that the input's layout
// has. Recipes know the strides of their operands, and broadcast operands need their layout.
bool reads_by_elements(const Value& root, const Input& in) {
  return root.kind == ValueKind::kReduce ||
         (root.is_elementwise() && in.layout->shape == root.shape());
}

// Lets values read what was inserted into an array, instead of that array, if they read nothing
// else of it and nothing else reads it. So the steps of a stencil, which computes the inner part of
// a copy that has a border, compute that part alone if the border is cut off again.
void read_inserted(Value& root, uint64_t visit) {
  root.planner.visit = visit;
  for (int i = 0; i < root.input_count; ++i) {
    Input& in = root.inputs[i];
    if (!in.value || !in.value->is_pending() || !in.value->inserts) continue;
    const Value& v = *in.value;
    const Layout* const at = v.recipe ? v.recipe->inserts_at() : nullptr;
    if (at && in.layout && is_same(*at, *in.layout) && in.dtype == v.dtype &&
        reads_by_elements(root, in) && v.reference_count() == 1 &&
        v.names.load(std::memory_order_acquire) == 0) {
      const ValueRef inserted = v.inputs[1].value;
      in.layout = LayoutRef();
      in.value = inserted;
    }
    if (in.value->is_pending() && in.value->planner.visit != visit) read_inserted(*in.value, visit);
  }
}

}  // namespace

bool plan_value(Plan& plan, Planner& planner, Value& root, std::span<const ValueRef> companions) {
  if (root.layout->size == 0) return true;
  if (root.inserts) read_inserted(root, planner.next_visit());
  if (root.kind == ValueKind::kRecipe) return plan_recipe(plan.make_recipe(), planner, root);
  if (try_rows(plan, planner, root, companions)) return planner.needs.empty();
  if (root.kind == ValueKind::kReduce) return plan_reduce(plan, planner, root);
  if (root.reduces && companions.empty() && try_epilogue(plan, planner, root))
    return planner.needs.empty();
  return plan_fused(plan.make_fused(), planner, root, nullptr, companions);
}

}  // namespace hither::array
