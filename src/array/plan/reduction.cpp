#include "array/plan/reduction.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "array/plan/gpu_forms.h"
#include "runtime/device_state.h"
#include "runtime/kernel_state.h"

namespace hither::array {

namespace {

// Views are walked in memory order. Expressions, and reductions that depend on C order, are walked
// in C order.
void choose_order(ReductionPlan& p) {
  const Reduce& r = *p.reduction->reduce;
  const Input& in = p.reduction->inputs[0];
  if (!in.value || !in.layout || p.producers.form.node_count > 0) return;
  const auto many = std::ranges::count_if(
      p.order, [&](int d) { return r.reduced[static_cast<size_t>(d)] && r.shape[d] > 1; });
  if (r.accumulation.with_index() && many > 1) return;
  const Dims& strides = in.layout->strides;
  std::ranges::stable_sort(
      p.order, [&](int a, int b) { return std::abs(strides[a]) > std::abs(strides[b]); });
}

bool plan_stage(ReductionPlan& p, const ReduceAxes& axes) {
  std::destroy_at(&p.stage);  // an assignment would copy its tables
  std::construct_at(&p.stage);
  return plan_stage(axes, p.used, p.accumulation, p.most_items, p.stage);
}

// The stride of axis d of `shape`, to which `layout` broadcasts.
int64_t stride_of(const Layout& layout, const Dims& shape, int d) noexcept {
  const int own = d - (shape.size() - layout.shape.size());
  return own < 0 || layout.shape[own] == 1 ? 0 : layout.strides[own];
}

bool plan_first(ReductionPlan& p) {
  const Reduce& r = *p.reduction->reduce;
  std::ranges::fill(p.used, false);
  p.used[kOutputWalk] = true;
  const int leaves = p.producers.form.leaf_count;
  std::fill_n(p.used, leaves, true);
  p.used[kPositionWalk] = uses_position(p.producers.form);
  const Dims positions = p.used[kPositionWalk] ? contiguous_strides(r.shape) : Dims();
  ReduceAxes axes;
  bool any_reduced = false;
  for (int d : p.order) {
    if (r.shape[d] == 1) continue;
    ReduceAxis axis;
    axis.extent = r.shape[d];
    axis.reduced = r.reduced[static_cast<size_t>(d)];
    any_reduced = any_reduced || axis.reduced;
    for (int i = 0; i < leaves; ++i) {
      const Source& leaf = p.producers.binding.leaves[i];
      axis.strides[i] = stride_of(leaf.layout ? *leaf.layout : *leaf.value->layout, r.shape, d);
    }
    if (p.used[kPositionWalk]) axis.strides[kPositionWalk] = positions[d];
    axis.strides[kOutputWalk] = 0;
    axes.push_back(axis);
  }
  if (!any_reduced) axes.push_back({.extent = 1, .reduced = true, .strides = {}});
  return plan_stage(p, axes);
}

bool has_few_strides(const ReductionPlan& p) {
  const auto walks = std::ranges::count(p.used, true);
  return walks * (p.stage.outer.size() + p.stage.rows.size()) <= kMostStrides;
}

// Integer division in the vectors of a reduction: Intel's OpenCL for CPUs needs 5 to 20 seconds to
// compile it, and a tenth of that where each item has one element.
bool compiles_slowly(const ReductionPlan& p) {
  if (p.most_items > 0 || !runtime::facts_of(p.reduction->queue.device()).compiles_vectors_slowly)
    return false;
  const KernelForm& f = p.producers.form;
  return std::any_of(f.nodes, f.nodes + f.node_count, [](const FormNode& node) {
    return node.kind == NodeKind::kApply && !node.user &&
           (node.op == Op::floor_divide || node.op == Op::remainder);
  });
}

// A large expression with transposed operands. The element-wise kernel reads those in tiles. Groups
// read several rows of columns together, so these use whole cache lines in either direction.
bool reads_across(const ReductionPlan& p) {
  constexpr int64_t kLarge = 65536;
  if (p.producers.form.node_count == 0 || p.stage.pattern == ReducePattern::kShort ||
      p.stage.pattern == ReducePattern::kGatheredColumns ||
      p.reduction->reduce->shape.product() < kLarge)
    return false;
  const auto* strides = p.stage.lane_strides;
  return std::any_of(strides, strides + p.producers.form.leaf_count,
                     [](int64_t stride) { return stride != 0 && stride != 1; });
}

// The operand's axes do not collapse. A view is copied in the chosen order, and the copy is
// reduced.
void plan_dense_copy(ReductionPlan& p) {
  const Queue& queue = p.reduction->queue;
  const Input& in = p.reduction->inputs[0];
  Dims shape, strides;
  for (int d : p.order) {
    shape.push_back(p.reduction->reduce->shape[d]);
    strides.push_back(in.layout->strides[d]);
  }
  p.view = make_layout(queue, shape, strides, in.layout->offset);
  p.copy = std::make_unique<Cluster>();
  plan_copy(*p.copy, {in.value.get(), p.view.get()}, in.dtype, in.dtype, shape, nullptr, queue);
  const Dims steps = contiguous_strides(shape);
  Dims back(shape.size(), 0);
  for (int i = 0; i < shape.size(); ++i) back[p.order[static_cast<size_t>(i)]] = steps[i];
  p.dense = make_layout(queue, p.reduction->reduce->shape, back, 0);
  p.producers.binding.leaves[0] = {nullptr, p.dense.get()};
}

}  // namespace

bool plan_reduction(ReductionPlan& p, Planner& planner, Value& reduction, Value& result) {
  const Input& in = reduction.inputs[0];
  const Dims& shape = reduction.reduce->shape;
  p.reduction = &reduction;
  p.result = &result;
  p.accumulation = reduction.reduce->accumulation;
  p.most_items = takes_gpu_forms(reduction.queue)
                     ? reduction.queue.device().state()->facts().max_work_group_size
                     : 0;
  p.order.resize(static_cast<size_t>(shape.size()));
  std::iota(p.order.begin(), p.order.end(), 0);
  if (!plan_producers(p.producers, planner, in, shape, p.root)) return false;
  choose_order(p);
  if (plan_first(p) && has_few_strides(p) && !reads_across(p) && !compiles_slowly(p)) return true;
  if (p.producers.form.node_count > 0) {
    planner.need(*in.value);
    return false;
  }
  plan_dense_copy(p);
  plan_first(p);  // one dense operand always fits
  return true;
}

void next_stage(ReductionPlan& p) {
  const ReduceAxes axes = std::move(p.stage.after);
  KernelForm& f = p.producers.form;
  f.node_count = f.number_count = f.output_count = 0;
  f.leaf_count = p.accumulation.with_index() ? 2 : 1;
  f.leaves[0] = {p.accumulation.dtype, Access::kLinear, 0, 0, 0};
  f.leaves[1] = {DType::kInt64, Access::kLinear, 0, 0, 0};
  p.root = kLeafSlot;
  p.pairs = p.accumulation.with_index();
  std::ranges::fill(p.used, false);
  std::fill_n(p.used, f.leaf_count, true);
  p.used[kOutputWalk] = true;
  plan_stage(p, axes);
  // The first stage counted elements. Later stages add the counts.
  if (traits_of(p.accumulation.reduction).rule == ReductionRule::kCount)
    p.accumulation.reduction = Reduction::kSum;
}

void find_pairs(ReductionPlan& p) noexcept {
  ReduceStage& stage = p.stage;
  const KernelForm& f = p.producers.form;
  if (stage.pattern != ReducePattern::kOneColumn || stage.lanes % 2 != 0 ||
      p.accumulation.with_index() || is_complex(p.accumulation.dtype))
    return;
  if (uses_position(f) && stage.lane_strides[kPositionWalk] != 1) return;
  const auto is_even = [](int64_t stride) { return stride % 2 == 0; };
  for (int i = 0; i < f.leaf_count; ++i) {
    if (stage.lane_strides[i] == 0) continue;
    const Source& leaf = p.producers.binding.leaves[i];
    const DType dtype = f.leaves[i].dtype;
    const int64_t offset = leaf.layout ? leaf.layout->offset : 0;
    const char* const first = address_of(*leaf.value) + offset * size_of(dtype);
    if (stage.lane_strides[i] != 1 || is_complex(dtype) ||
        reinterpret_cast<uintptr_t>(first) % static_cast<uintptr_t>(2 * size_of(dtype)) != 0 ||
        !std::ranges::all_of(stage.outer_strides[i], is_even) ||
        !std::ranges::all_of(stage.row_strides[i], is_even))
      return;
  }
  stage.block = 2;
  stage.blocks = stage.lanes / 2;
}

Dims result_order(const ReductionPlan& p) {
  const Reduce& r = *p.reduction->reduce;
  Dims walked;
  bool sorted = true;
  int64_t before = -1;
  for (int d : p.order) {
    if (r.reduced[static_cast<size_t>(d)]) continue;
    walked.push_back(d);
    if (r.shape[d] == 1) continue;
    sorted = sorted && before < d;
    before = d;
  }
  return sorted ? Dims() : walked;
}

}  // namespace hither::array
