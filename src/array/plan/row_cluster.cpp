#include "array/plan/row_cluster.h"

#include <algorithm>
#include <bit>

#include "array/form/divide_up.h"
#include "array/plan/gpu_forms.h"

namespace hither::array {

namespace {

// Shorter rows are reduced by one item each. CPUs divide longer ones into chunks.
constexpr int64_t kShortest = 17;
// GPUs: elements per item, large so that the fixed cost of a row is amortised; minimum number of
// items per row, which read whole memory sectors; and the maximum number.
constexpr int64_t kElements = 32, kSmallestTeam = 8, kLargestTeam = 1024;
// Longer rows, when there are fewer than this, would leave multiprocessors idle.
constexpr int64_t kLongRow = 65536, kRowsForTeams = 64;
// The longest row for argmin and argmax. Groups reduce longer ones.
constexpr int64_t kLongestWithIndex = 4096;
// Registers in which an item keeps elements: in the largest team, in the largest team where
// elements need two registers (computing with them needs more), and in smaller teams.
constexpr int kRegisters = 32, kRegistersOfWide = 24, kMoreRegisters = 64;
// Registers for loads that are issued before the first one is used.
constexpr int kReadTogether = 16;
// Limit on nodes times elements per item, which bounds the unrolled code.
constexpr int kMostCode = 384;
// Rows that a team processes side by side, results of the reductions of all of them, and items
// that fill a device.
constexpr int kMostRowsOfTeam = 4, kMostResults = 16;
constexpr int64_t kItemsOfDevice = 262144;

int reduced_axis(const Dims& shape, const std::vector<bool>& reduced) {
  int axis = shape.size() - 1;
  while (axis >= 0 && shape[axis] == 1) --axis;
  if (axis < 0 || !reduced[static_cast<size_t>(axis)]) return -1;
  for (int d = 0; d < axis; ++d)
    if (reduced[static_cast<size_t>(d)] && shape[d] != 1) return -1;
  return axis;
}

/// The rows that a cluster is over.
struct Rows {
  Dims shape;
  int axis = -1;
  RowPlan plan;
  int64_t rows = 1;
};

bool rows_of(const Value& v, Rows& space) {
  if (v.kind != ValueKind::kReduce || !walks_in_order(v)) return false;
  if (!plan_row(v.queue.device(), *v.reduce, space.plan)) return false;
  space.shape = v.reduce->shape;
  space.axis = reduced_axis(v.reduce->shape, v.reduce->reduced);
  space.rows = space.shape.product() / space.plan.length;
  return true;
}

/// The first reduction in the expression `v` whose rows are rows of `root`, or whose results have
/// root's size.
bool find_rows(const Planner& planner, Value& v, const Value& root, uint64_t visit, Rows& space) {
  if (!planner.is_pending(v) || !v.reduces || v.planner.visit == visit) return false;
  v.planner.visit = visit;
  if (rows_of(v, space) && (space.shape == root.shape() || space.rows == root.layout->size))
    return true;
  for (int i = 0; i < v.input_count; ++i)
    if (v.inputs[i].value && find_rows(planner, *v.inputs[i].value, root, visit, space))
      return true;
  return false;
}

class RowCollector {
 public:
  RowCollector(RowCluster& rows, const Rows& space, Planner& planner)
      : r_(rows),
        f_(rows.form.nodes),
        space_(space),
        planner_(planner),
        visit_(planner.next_visit()) {}

  /// False when a table overflows, or when a value has to be submitted first (Planner::needs).
  bool all(Value& root) {
    if (!fits(root)) return false;
    root_ = node(root, is_per_row(root));
    return !full_ && planner_.needs.empty();
  }

  /// Adds another value per row, after the root, if the kernel can compute it from the buffers that
  /// it reads anyway.
  void add(Value& other) {
    if (!other.reduces || other.planner.visit == visit_ || !is_per_row(other) || !fits(other))
      return;
    const int nodes = f_.node_count, leaves = f_.leaf_count, numbers = f_.number_count;
    const int reductions = reductions_;
    uint32_t references[kMaxNodes];
    std::copy_n(references_, nodes, references);
    node(other, true);
    if (!full_ && planner_.needs.empty() && f_.leaf_count == leaves) return;
    for (int i = nodes; i < f_.node_count; ++i) r_.binding.nodes[i]->planner.visit = 0;
    std::copy_n(references, nodes, references_);
    f_.node_count = nodes;
    f_.leaf_count = leaves;
    f_.number_count = numbers;
    reductions_ = reductions;
    planner_.needs.clear();
    full_ = false;
  }

  Slot root() const noexcept { return root_; }
  int reductions() const noexcept { return reductions_; }
  uint32_t references(Slot slot) const noexcept { return references_[slot]; }

 private:
  bool is_per_row(const Value& v) const {
    return v.kind == ValueKind::kReduce || !(v.shape() == space_.shape);
  }

  /// Whether the value has the shape of the rows or of their results, and reduces these rows if it
  /// is a reduction.
  bool fits(const Value& v) const {
    if (v.kind == ValueKind::kReduce && !is_member(v)) return false;
    return v.shape() == space_.shape || is_row_shape(v.shape());
  }

  bool is_row_shape(const Dims& shape) const {
    Dims with_one = space_.shape;
    with_one[space_.axis] = 1;
    if (shape == with_one) return true;
    with_one.erase(space_.axis);
    return shape == with_one;
  }

  bool is_member(const Value& v) const {
    Rows own;
    return rows_of(v, own) && own.shape == space_.shape && own.axis == space_.axis &&
           own.plan.team == space_.plan.team;
  }

  // Whether row i of a consumer reads element i of the value.
  bool is_row_wise(const Layout& layout) const {
    if (layout.offset != 0 || layout.shape.size() > space_.shape.size()) return false;
    const Dims strides = broadcast_strides(layout, space_.shape);
    int64_t step = 1;
    for (int d = space_.shape.size() - 1; d >= 0; --d) {
      if (d == space_.axis) {
        if (strides[d] != 0) return false;
        continue;
      }
      if (space_.shape[d] != 1 && strides[d] != step) return false;
      step *= space_.shape[d];
    }
    return true;
  }

  bool sees_rows(const Input& in, bool per_row) const {
    const Layout& layout = in.layout ? *in.layout : *in.value->layout;
    if (in.value->layout->size != space_.rows || !is_row_shape(in.value->shape())) return false;
    return per_row ? layout.contiguous && layout.offset == 0 && layout.size == space_.rows
                   : is_row_wise(layout);
  }

  Slot operand(Input& in, bool per_row, const Dims& consumer) {
    if (!in.value) return number(in);
    Value& v = *in.value;
    if (!planner_.is_pending(v)) return leaf(in, per_row, consumer);
    const bool fuses = v.is_elementwise();
    if (!per_row && fuses && !in.layout && v.shape() == space_.shape) return node(v, false);
    if (sees_rows(in, per_row) && in.dtype == v.dtype && (fuses || is_member(v)))
      return node(v, true);
    planner_.need(v);
    return 0;
  }

  Slot node(Value& v, bool per_row) {
    if (v.planner.visit == visit_) {
      ++references_[v.planner.slot];
      return v.planner.slot;
    }
    const bool reduces = v.kind == ValueKind::kReduce;
    FormNode made = form_node(v);
    for (int i = 0; i < v.input_count && !full_; ++i)
      made.operands[i] =
          operand(v.inputs[i], per_row && !reduces, reduces ? space_.shape : v.shape());
    if (full_ || f_.node_count == kMaxNodes) return full();
    const int n = f_.node_count++;
    v.planner = {.visit = visit_, .slot = static_cast<Slot>(n)};
    reductions_ += reduces;
    references_[n] = 1;
    f_.nodes[n] = made;
    r_.binding.nodes[n] = &v;
    r_.form.per_row[n] = per_row;
    return static_cast<Slot>(n);
  }

  Slot number(const Input& number) {
    if (f_.number_count == kMaxNumbers) return full();
    r_.binding.numbers[f_.number_count] = &number;
    f_.numbers[f_.number_count] = number.dtype;
    return static_cast<Slot>(kNumberSlot + f_.number_count++);
  }

  Slot leaf(const Input& in, bool per_row, const Dims& consumer) {
    require_ready(*in.value);
    const Layout* layout = in.layout.get();
    Source* leaves = r_.binding.leaves;
    for (int i = 0; i < f_.leaf_count; ++i)
      if (leaves[i].value == in.value.get() && leaves[i].layout == layout &&
          f_.leaves[i].dtype == in.dtype && leaf_per_row_[i] == per_row)
        return static_cast<Slot>(kLeafSlot + i);
    if (f_.leaf_count == kMaxLeaves) return full();
    const int i = f_.leaf_count++;
    leaves[i] = {in.value.get(), layout};
    f_.leaves[i] = {in.dtype, Access::kLinear, 0, 0, 0};
    leaf_per_row_[i] = per_row;
    Dims strides = broadcast_strides(layout ? *layout : *in.value->layout, consumer);
    if (strides.size() < space_.shape.size()) strides.insert(space_.axis, 0);
    r_.lane_strides[i] = strides[space_.axis];
    strides.erase(space_.axis);
    r_.outer_strides[i] = strides;
    return static_cast<Slot>(kLeafSlot + i);
  }

  Slot full() noexcept {
    full_ = true;
    return 0;
  }

  RowCluster& r_;
  KernelForm& f_;
  const Rows& space_;
  Planner& planner_;
  const uint64_t visit_;
  bool full_ = false;
  Slot root_ = 0;
  int reductions_ = 0;
  uint32_t references_[kMaxNodes];
  bool leaf_per_row_[kMaxLeaves];
};

// Merges adjacent dimensions outside the rows where every leaf allows it.
void collapse(RowCluster& r, const Rows& space) {
  r.outer = space.shape;
  r.outer.erase(space.axis);
  const int leaves = r.form.nodes.leaf_count;
  auto drop = [&](int d) {
    r.outer.erase(d);
    for (int i = 0; i < leaves; ++i) r.outer_strides[i].erase(d);
  };
  for (int d = r.outer.size() - 1; d >= 0; --d)
    if (r.outer[d] == 1) drop(d);
  for (int d = r.outer.size() - 2; d >= 0; --d) {
    bool merges = true;
    for (int i = 0; i < leaves && merges; ++i)
      merges = r.outer_strides[i][d] == r.outer_strides[i][d + 1] * r.outer[d + 1];
    if (!merges) continue;
    r.outer[d + 1] *= r.outer[d];
    drop(d);
  }
}

// Selects the outputs: the root, values that arrays name, and values per row that have other
// readers.
void choose_outputs(RowCluster& r, const RowCollector& collector) {
  KernelForm& f = r.form.nodes;
  const Slot root = collector.root();
  for (Slot i = 0; i < f.node_count && f.output_count < kMaxOutputs - 1; ++i) {
    if (i == root) continue;
    const Value& v = *r.binding.nodes[i];
    const bool named = v.names.load(std::memory_order_acquire) > 0;
    const bool shared = r.form.per_row[i] && v.reference_count() > collector.references(i);
    if (named || shared) f.outputs[f.output_count++] = i;
  }
  f.outputs[f.output_count++] = root;
}

// Whether all rows read the same elements of a leaf.
bool is_shared_by_rows(const RowCluster& r, int leaf) {
  const Dims& strides = r.outer_strides[leaf];
  return r.rows > 1 &&
         std::all_of(strides.begin(), strides.end(), [](int64_t s) { return s == 0; });
}

// Registers per element for what the walks share: either the leaves, or a value computed from them.
int registers_of(const RowCluster& r) {
  const KernelForm& f = r.form.nodes;
  auto of = [](DType t) { return static_cast<int>(divide_up(size_of(t), 4)); };
  int leaves = 0, widest = 1;
  for (int i = 0; i < f.leaf_count; ++i)
    if (r.lane_strides[i] != 0 && !is_shared_by_rows(r, i)) leaves += of(f.leaves[i].dtype);
  for (int i = 0; i < f.node_count; ++i)
    if (!r.form.per_row[i]) widest = std::max(widest, of(f.nodes[i].dtype));
  return std::max(leaves, widest);
}

int nodes_per_element(const RowForm& f) {
  return std::max(static_cast<int>(std::count(f.per_row, f.per_row + f.nodes.node_count, false)),
                  1);
}

// Whether reductions alone are stored, and none depends on another one's result.
bool has_one_walk(const RowForm& f) {
  const KernelForm& nodes = f.nodes;
  auto is_per_row = [&](Slot slot) { return slot < kLeafSlot && f.per_row[slot]; };
  if (!std::all_of(nodes.outputs, nodes.outputs + nodes.output_count, is_per_row)) return false;
  for (int i = 0; i < nodes.node_count; ++i) {
    const FormNode& v = nodes.nodes[i];
    if ((!f.per_row[i] || v.kind == NodeKind::kReduce) &&
        std::any_of(v.operands, v.operands + v.operand_count, is_per_row))
      return false;
  }
  return true;
}

// Lets teams process several rows if all rows read the same elements, apart from one of each row,
// and enough teams remain.
void choose_rows_of_team(RowCluster& r, int reductions) {
  RowForm& f = r.form;
  if (f.team == 0) return f.share_nothing();
  bool any = false;
  for (int i = 0; i < f.nodes.leaf_count; ++i) {
    f.shared[i] = r.lane_strides[i] != 0;
    if (f.shared[i] && !is_shared_by_rows(r, i)) return f.share_nothing();
    any = any || f.shared[i];
  }
  const int words = nodes_per_element(f) * f.word;
  f.side_by_side = kMostRowsOfTeam;
  while (f.side_by_side > 1 &&
         (r.rows * f.team < kItemsOfDevice * f.side_by_side ||
          reductions * f.side_by_side > kMostResults || words * f.side_by_side > kMostCode))
    f.side_by_side /= 2;
  if (!any || f.side_by_side == 1 || !has_one_walk(f)) f.share_nothing();
}

void choose_kept(RowCluster& r) {
  RowForm& f = r.form;
  if (f.side_by_side > 1) return;  // 1 word
  const int element = registers_of(r), registers = element * f.word;
  const int of_largest = element > 1 ? kRegistersOfWide : kRegisters;
  const int room = f.team == kLargestTeam ? of_largest : kMoreRegisters;
  const int most = std::min(room / registers, kMostCode / (nodes_per_element(f) * f.word));
  f.kept = static_cast<int>(std::clamp<int64_t>(most, 1, std::max<int64_t>(r.plan.rounds, 1)));
  f.all_kept = f.kept == r.plan.rounds;
  f.together = std::max(kReadTogether / registers, 1);
}

// Selects the accesses of the leaves, except kWords, which depends on addresses.
void choose_access(RowCluster& r) {
  for (int i = 0; i < r.form.nodes.leaf_count; ++i)
    r.form.access[i] = r.lane_strides[i] == 0   ? RowAccess::kRepeat
                       : r.lane_strides[i] == 1 ? RowAccess::kUnit
                                                : RowAccess::kStrided;
}

}  // namespace

bool walks_in_order(const Value& v) {
  const Input& in = v.inputs[0];
  if (!in.value || !in.layout) return true;
  int64_t before = INT64_MAX;
  for (int d = 0; d < v.reduce->shape.size(); ++d) {
    if (v.reduce->shape[d] == 1) continue;
    const int64_t stride = std::abs(in.layout->strides[d]);
    if (stride > before) return false;
    before = stride;
  }
  return true;
}

bool plan_row(const Device& device, const Reduce& reduce, RowPlan& plan) {
  const Dims& shape = reduce.shape;
  const bool with_index = reduce.accumulation.with_index();
  const int axis = reduced_axis(shape, reduce.reduced);
  if (axis < 0) return false;
  const int64_t n = shape[axis];
  plan = {.length = n};
  if (n < kShortest || (with_index && n > kLongestWithIndex)) return false;
  if (device.type() != DeviceType::kGpu) return n <= kLongestOfItem && !with_index;
  if (sub_group_of(device) < kSubGroup) return false;
  if (n > kLongRow && shape.product() / n < kRowsForTeams) return false;
  const auto items = std::bit_ceil(static_cast<uint64_t>(divide_up(n, kElements)));
  plan.team =
      static_cast<int>(std::clamp(static_cast<int64_t>(items), kSmallestTeam, kLargestTeam));
  plan.word = n % 2 == 0 ? 2 : 1;
  plan.rounds = divide_up(n, int64_t{plan.team} * plan.word);
  return true;
}

bool plan_rows(RowCluster& rows, Planner& planner, Value& root,
               std::span<const ValueRef> companions) {
  if (!root.reduces) return false;
  Rows space;
  if (!find_rows(planner, root, root, planner.next_visit(), space)) return false;
  RowCollector collector(rows, space, planner);
  const bool fits = collector.all(root);
  if (collector.reductions() == 0) {  // the needs of other plans may differ
    planner.needs.clear();
    return false;
  }
  if (!planner.needs.empty() || !fits) return false;
  for (const ValueRef& other : companions) collector.add(*other);
  const bool alone = root.kind == ValueKind::kReduce && collector.reductions() == 1;
  if (alone && space.plan.team == 0) return false;
  rows.plan = space.plan;
  rows.rows = space.rows;
  rows.form.team = space.plan.team;
  rows.form.word = space.plan.word;
  collapse(rows, space);
  if (rows.form.nodes.leaf_count * rows.outer.size() > kMostStrides) return false;
  rows.form.outer_rank = rows.outer.size();
  choose_outputs(rows, collector);
  choose_rows_of_team(rows, collector.reductions());
  choose_kept(rows);
  choose_access(rows);
  return true;
}

void find_words(RowCluster& r) noexcept {
  if (r.form.team == 0 || r.form.word == 1) return;
  for (int i = 0; i < r.form.nodes.leaf_count; ++i) {
    const Source& leaf = r.binding.leaves[i];
    const DType dtype = r.form.nodes.leaves[i].dtype;
    const auto size = static_cast<uint64_t>(size_of(dtype));
    auto bytes = reinterpret_cast<uint64_t>(address_of(*leaf.value));
    if (leaf.layout) bytes += static_cast<uint64_t>(leaf.layout->offset) * size;
    for (int64_t stride : r.outer_strides[i]) bytes |= static_cast<uint64_t>(stride) * size;
    if (r.form.access[i] == RowAccess::kUnit && bytes % bytes_of_word(r.form.word, dtype) == 0)
      r.form.access[i] = RowAccess::kWords;
  }
}

int64_t bytes_moved(const RowCluster& r) noexcept {
  const KernelForm& f = r.form.nodes;
  int64_t bytes = 0;
  for (int i = 0; i < f.output_count; ++i) {
    const Value& v = r.output(i);
    bytes += v.layout->size * size_of(v.dtype);
  }
  for (int i = 0; i < f.leaf_count; ++i) {
    int64_t n = r.lane_strides[i] == 0 ? 1 : r.plan.length;
    for (int d = 0; d < r.outer.size(); ++d)
      if (r.outer_strides[i][d] != 0) n *= r.outer[d];
    bytes += n * size_of(f.leaves[i].dtype);
  }
  return bytes;
}

}  // namespace hither::array
