#include "array/reduce_recipe.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "array/emit.h"
#include "array/emit_producers.h"
#include "array/emit_reduce.h"
#include "array/flush.h"
#include "array/row_cluster.h"
#include "array/submit_rows.h"
#include "runtime/device_state.h"
#include "runtime/kernel_state.h"

namespace hither::array {

namespace {

/// Memory that a stage wrote.
struct Partial {
  Memory memory;
  Event written;
};

/// Runs the stages of one reduction.
class Run {
 public:
  /// What comes out goes to `result`, by way of `then` where there is one.
  Run(DeviceType type, Value& value, const ReduceRecipe& recipe, Value& result, const Cluster* then)
      : most_items_(type == DeviceType::kGpu
                        ? value.queue.device().state()->facts().max_work_group_size
                        : 0),
        value_(value),
        result_(result),
        then_(then),
        combiner_(recipe.combiner()),
        shape_(recipe.shape()),
        reduced_(recipe.reduced()) {
    order_.resize(static_cast<size_t>(shape_.size()));
    std::iota(order_.begin(), order_.end(), 0);
  }

  void all() {
    collect();
    if (!plan_first() || reads_across() || compiles_for_long()) {
      store_operand();
      collect();
      plan_first();  // one dense operand always fits
    }
    Slot root = root_;
    bool pairs = false;
    for (;;) {
      const bool last = stage_->last;
      const ReduceKernel kernel{.cluster = cluster_,
                                .root = root,
                                .combiner = combiner_,
                                .stored = last ? result_.dtype : combiner_.dtype(),
                                .pairs = pairs,
                                .stage = *stage_,
                                .then = last ? then_ : nullptr};
      launch(kernel);
      if (stage_->last) break;
      next_stage();
      root = kLeafSlot;
      pairs = combiner_.with_index();
    }
    // Not earlier: leaves may live by the nodes that read them.
    for (const ValueRef& v : named_) become_ready(*v, v->written);
    finish();
  }

 private:
  static void clear(Cluster& c) {
    c.node_count = c.leaf_count = c.number_count = c.output_count = 0;
    c.root_strided = false;
    c.extents = Dims();
  }

  void collect() {
    clear(cluster_);
    root_ = collect_producers(cluster_, operand(), shape_, true);
  }

  Input& operand() { return value_.inputs[0]; }

  // Views are walked in the order of their memory; expressions, and what must keep its order, in C
  // order.
  void choose_order() {
    const Input& in = operand();
    if (!in.value || !in.layout || cluster_.node_count > 0) return;
    const auto many = std::count_if(order_.begin(), order_.end(), [&](int d) {
      return reduced_[static_cast<size_t>(d)] && shape_[d] > 1;
    });
    if (combiner_.with_index() && many > 1) return;
    const Dims& strides = in.layout->strides;
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return std::abs(strides[a]) > std::abs(strides[b]); });
  }

  bool plan_first() {
    choose_order();
    std::fill(std::begin(used_), std::end(used_), false);
    used_[kOutputWalk] = true;
    Dims strides[kWalks];
    for (int i = 0; i < cluster_.leaf_count; ++i) {
      used_[i] = true;
      const Leaf& leaf = cluster_.leaves[i];
      strides[i] = broadcast_strides(leaf.layout ? *leaf.layout : *leaf.value->layout, shape_);
    }
    if (uses_position(cluster_)) {
      used_[kPositionWalk] = true;
      strides[kPositionWalk] = contiguous_strides(shape_);
    }
    ReduceAxes axes;
    bool any_reduced = false;
    for (int d : order_) {
      if (shape_[d] == 1) continue;
      ReduceAxis axis;
      axis.extent = shape_[d];
      axis.reduced = reduced_[static_cast<size_t>(d)];
      any_reduced = any_reduced || axis.reduced;
      for (int w = 0; w < kWalks; ++w)
        if (used_[w] && w != kOutputWalk) axis.strides[w] = strides[w][d];
      axes.push_back(axis);
    }
    if (!any_reduced) {
      axes.emplace_back();
      axes.back().reduced = true;
    }
    return plan(axes);
  }

  bool plan(const ReduceAxes& axes) {
    stage_.emplace();
    if (!plan_stage(axes, used_, combiner_.dtype(), combiner_.with_index(), most_items_, *stage_))
      return false;
    if (stage_->form == ReduceForm::kOneColumn && pairs_are_words()) {
      stage_->block = 2;
      stage_->blocks = stage_->lanes / 2;
    }
    return true;
  }

  // Whether each leaf's neighbouring columns, two by two, are where a word of their size may be:
  // one load takes both. The order of operations does not depend on it.
  bool pairs_are_words() const {
    if (stage_->lanes % 2 != 0 || combiner_.with_index() || is_complex(combiner_.dtype()))
      return false;
    if (uses_position(cluster_) && stage_->lane_strides[kPositionWalk] != 1) return false;
    const auto is_even = [](int64_t stride) { return stride % 2 == 0; };
    for (int i = 0; i < cluster_.leaf_count; ++i) {
      const Leaf& leaf = cluster_.leaves[i];
      const int64_t offset = leaf.layout ? leaf.layout->offset : 0;
      const char* const first = address_of(*leaf.value) + offset * size_of(leaf.dtype);
      if (stage_->lane_strides[i] == 0) continue;
      if (stage_->lane_strides[i] != 1 || is_complex(leaf.dtype) ||
          reinterpret_cast<uintptr_t>(first) % static_cast<uintptr_t>(2 * size_of(leaf.dtype)) ||
          !std::ranges::all_of(stage_->outer_strides[i], is_even) ||
          !std::ranges::all_of(stage_->row_strides[i], is_even))
        return false;
    }
    return true;
  }

  // Quotients of integers in a reduction's vectors: Intel's OpenCL takes 5 to 20 seconds for them,
  // and a tenth of one where items have an element each.
  bool compiles_for_long() const {
    if (most_items_ > 0 ||
        runtime::target_of(value_.queue.device()).kind != target::TargetKind::kSpirv)
      return false;
    return std::any_of(cluster_.nodes, cluster_.nodes + cluster_.node_count, [](const Value* node) {
      return node->kind == ValueKind::kElementwise &&
             (node->op == Op::floor_divide || node->op == Op::remainder);
    });
  }

  // A large expression over transposed operands: the element-wise kernel reads those in tiles.
  bool reads_across() const {
    constexpr int64_t kLarge = 65536;
    if (cluster_.node_count == 0 || stage_->form == ReduceForm::kShort || shape_.product() < kLarge)
      return false;
    for (int i = 0; i < cluster_.leaf_count; ++i)
      if (stage_->lane_strides[i] != 0 && stage_->lane_strides[i] != 1) return true;
    return false;
  }

  // The operand's axes do not collapse: it is stored, in the order chosen, and reduced from there.
  void store_operand() {
    Input& in = operand();
    if (cluster_.node_count > 0 && in.value && in.value->is_pending()) {
      ready(*in.value);
      return;
    }
    Dims shape, strides;
    for (int d : order_) {
      shape.push_back(shape_[d]);
      strides.push_back(in.layout->strides[d]);
    }
    Input permuted = in;
    permuted.layout = make_layout(value_.queue, shape, strides, in.layout->offset);
    ValueRef dense =
        cast_node(permuted, contiguous_layout(value_.queue, shape), in.dtype, in.value->usm_type);
    ready(*dense);
    Dims back(shape.size(), 0);
    for (int i = 0; i < shape.size(); ++i)
      back[order_[static_cast<size_t>(i)]] = dense->layout->strides[i];
    in.value = dense;
    in.layout = make_layout(value_.queue, shape_, back, 0);
  }

  void launch(const ReduceKernel& kernel) {
    KeyText key("r1");
    key.push_back(static_cast<char>(combiner_.reduction()));
    kernel.append_key(key);
    const ReadyKernel ready = find_kernel(
        value_.queue, key.str(), [&] { return emit(kernel); },
        [&] {
          std::string name(name_of(combiner_.reduction()));
          if (cluster_.node_count > 0) name += "_of_" + name_of_cluster(cluster_);
          if (kernel.then) name += "_then_" + name_of_cluster(*kernel.then);
          return name;
        });
    for (int i = 0; i < cluster_.output_count; ++i) {
      Value& v = *cluster_.nodes[cluster_.outputs[i]];
      allocate(v);
      named_.emplace_back(ValueRef(Shared{}, &v));
    }
    KernelCall call;
    Partial values, indices;
    const auto room = [&](Partial& p, DType t) {
      p.memory =
          Memory::for_work(value_.queue, static_cast<size_t>(stage_->output_size * size_of(t)),
                           stage_->last ? result_.usm_type : UsmType::kDevice);
      call.writes(p.memory);
    };
    if (kernel.stores_value()) room(values, kernel.stored);
    if (kernel.stores_index()) room(indices, DType::kInt64);
    kernel.pack(call);
    const int64_t bytes = kernel.bytes_read() + stage_->output_size * size_of(kernel.stored);
    const Event event = call.submit(value_.queue, ready, kernel.range(), bytes);
    for (int i = 0; i < cluster_.output_count; ++i)
      cluster_.nodes[cluster_.outputs[i]]->written = event;
    values_ = {values.memory, event};
    indices_ = {indices.memory, event};
  }

  // The partial results become the operand.
  void next_stage() {
    const ReduceAxes axes = std::move(stage_->after);
    clear(cluster_);
    partial_values_.clear();
    std::fill(std::begin(used_), std::end(used_), false);
    used_[kOutputWalk] = true;
    auto leaf = [&](const Partial& p, DType t) {
      ValueRef v =
          memory_value(p.memory, 0, contiguous_layout(value_.queue, Dims{stage_->output_size}), t);
      v->written = p.written;
      used_[cluster_.leaf_count] = true;
      Leaf& l = cluster_.leaves[cluster_.leaf_count++];
      l.value = v.get();
      l.layout = nullptr;
      l.dtype = t;
      l.access = Access::kLinear;
      partial_values_.push_back(std::move(v));
    };
    leaf(values_, combiner_.dtype());
    if (combiner_.with_index()) leaf(indices_, DType::kInt64);
    plan(axes);
    // Counts of non-zero elements are added up.
    if (combiner_.reduction() == Reduction::kCountNonzero)
      combiner_ = Combiner(Reduction::kSum, combiner_.dtype());
  }

  // The result lies in the order in which the axes were walked.
  void finish() {
    const Partial& out = combiner_.with_index() ? indices_ : values_;
    Dims shape, strides, walked;
    for (int d : order_)
      if (!reduced_[static_cast<size_t>(d)]) walked.push_back(d);
    Dims dense(walked.size(), 0), where(walked.size(), 0);
    int64_t step = 1;
    for (int i = walked.size() - 1; i >= 0; --i) {
      dense[i] = step;
      step *= shape_[static_cast<int>(walked[i])];
    }
    bool sorted = true;
    int64_t before = -1;
    for (int64_t d : walked) {
      if (shape_[static_cast<int>(d)] == 1) continue;
      sorted = sorted && before < d;
      before = d;
    }
    if (sorted) {
      result_.memory = out.memory;
      result_.written = out.written;
      return;
    }
    for (int d = 0; d < shape_.size(); ++d)
      for (int i = 0; i < walked.size(); ++i)
        if (walked[i] == d) {
          shape.push_back(shape_[d]);
          strides.push_back(dense[i]);
        }
    Input walked_result;
    walked_result.value =
        memory_value(out.memory, 0, contiguous_layout(value_.queue, Dims{step}), result_.dtype);
    walked_result.value->written = out.written;
    walked_result.dtype = result_.dtype;
    walked_result.layout = make_layout(value_.queue, shape, strides, 0);
    ValueRef sorted_result = cast_node(walked_result, contiguous_layout(value_.queue, shape),
                                       result_.dtype, result_.usm_type);
    ready(*sorted_result);
    result_.memory = sorted_result->memory;
    result_.written = sorted_result->written;
  }

  int64_t most_items_;  ///< of a group on GPUs; 0 elsewhere
  Value &value_, &result_;
  const Cluster* then_;
  Combiner combiner_;
  const Dims& shape_;
  const std::vector<bool>& reduced_;
  llvm::SmallVector<int, kMaxRank> order_;
  Cluster cluster_;
  Slot root_ = 0;
  bool used_[kWalks] = {};
  std::optional<ReduceStage> stage_;
  Partial values_, indices_;
  llvm::SmallVector<ValueRef, 2> partial_values_;
  llvm::SmallVector<ValueRef, 2> named_;  ///< nodes that the first stage stores
};

}  // namespace

bool ReduceRecipe::walks_in_order(const Input& in) const {
  if (!in.value || !in.layout) return true;
  int64_t before = INT64_MAX;
  for (int d = 0; d < shape_.size(); ++d) {
    if (shape_[d] == 1) continue;
    const int64_t stride = std::abs(in.layout->strides[d]);
    if (stride > before) return false;
    before = stride;
  }
  return true;
}

bool ReduceRecipe::submit_in_rows(Value& value) const {
  if (submit_rows(value)) return true;
  RowPlan plan;
  if (plan_row(value.queue.device(), shape_, reduced_, combiner_, plan) && plan.team > 0 &&
      walks_in_order(value.inputs[0])) {
    ready(*value.inputs[0].value);  // too much for one kernel; what is reduced alone is not
    if (submit_rows(value)) return true;
  }
  return false;
}

void ReduceRecipe::submit(Value& value) const {
  if (!submit_in_rows(value)) reduce_as(value.queue.device().type(), value, *this);
}

std::string ReduceRecipe::describe(const Value&) const {
  return std::string(name_of(combiner_.reduction()));
}

void reduce_as(DeviceType type, Value& value, const ReduceRecipe& recipe) {
  Run(type, value, recipe, value, nullptr).all();
}

bool submit_as_epilogue(Value& root) {
  Epilogue epilogue;
  if (!find_epilogue(epilogue, root)) return false;
  Value& reduction = *epilogue.reduction;
  const auto& recipe = static_cast<const ReduceRecipe&>(*reduction.recipe);
  if (recipe.submit_in_rows(reduction)) {
    become_ready(reduction, reduction.written);
    return false;
  }
  Run(root.queue.device().type(), reduction, recipe, root, &epilogue.nodes).all();
  return true;
}

}  // namespace hither::array
