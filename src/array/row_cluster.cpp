#include "array/row_cluster.h"

#include <algorithm>
#include <bit>

#include "array/divide_up.h"
#include "array/emit_group.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/reduce_recipe.h"

namespace hither::array {

namespace {

// Shorter rows are neighbours that one item reduces; CPUs cut longer ones into chunks.
constexpr int64_t kShortest = 17;
// GPUs: elements that an item takes, many, so that what a row costs shows little; the fewest items
// of a row, which read whole sectors of memory, and the most.
constexpr int64_t kElements = 32, kSmallestTeam = 8, kLargestTeam = 1024;
// Longer rows, of which there are fewer than this, leave multiprocessors idle.
constexpr int64_t kLongRow = 65536, kFewRows = 64;
// Of argmin and argmax; longer ones are gathered.
constexpr int64_t kLongestWithIndex = 4096;
// Registers that an item keeps elements in: of the largest team, where what takes two of them needs
// more to compute with, and of others.
constexpr int kRegisters = 32, kRegistersOfWide = 24, kMoreRegisters = 64;
// Registers for what is read before anything waits for it.
constexpr int kReadTogether = 16;
// Nodes times elements of an item: what is unrolled stays short.
constexpr int kMostCode = 384;

int reduced_axis(const Dims& shape, const std::vector<bool>& reduced) {
  int axis = shape.size() - 1;
  while (axis >= 0 && shape[axis] == 1) --axis;
  if (axis < 0 || !reduced[static_cast<size_t>(axis)]) return -1;
  for (int d = 0; d < axis; ++d)
    if (reduced[static_cast<size_t>(d)] && shape[d] != 1) return -1;
  return axis;
}

const ReduceRecipe* reduction(const Value& v) {
  return v.kind == ValueKind::kRecipe ? dynamic_cast<const ReduceRecipe*>(v.recipe.get()) : nullptr;
}

/// The rows that a cluster is over.
struct Space {
  Dims shape;
  int axis = -1;
  RowPlan plan;
  int64_t rows = 1;
};

bool space_of(const Value& v, Space& space) {
  const ReduceRecipe* r = reduction(v);
  if (!r || !r->walks_in_order(v.inputs[0])) return false;
  if (!plan_row(v.queue.device(), r->shape(), r->reduced(), r->combiner(), space.plan))
    return false;
  space.shape = r->shape();
  space.axis = reduced_axis(r->shape(), r->reduced());
  space.rows = space.shape.product() / space.plan.length;
  return true;
}

/// The first reduction at or below `v` whose rows `root` has, or is made of.
bool find_space(Value& v, const Value& root, uint64_t visit, Space& space) {
  if (!v.is_pending() || !v.reduces || v.visit == visit) return false;
  v.visit = visit;
  if (space_of(v, space) && (space.shape == root.shape() || space.rows == root.layout->size))
    return true;
  for (int i = 0; i < v.input_count; ++i)
    if (v.inputs[i].value && find_space(*v.inputs[i].value, root, visit, space)) return true;
  return false;
}

class RowCollector {
 public:
  RowCollector(RowCluster& rows, const Space& space, uint64_t visit)
      : r_(rows), c_(rows.nodes), space_(space), visit_(visit) {}

  /// False when there is no room, or something has to be submitted first: see blockers().
  bool all(Value& root) {
    const bool is_row = !(root.shape() == space_.shape);
    if (is_row && !is_row_shape(root.shape())) return false;
    if (reduction(root) && !is_member(root)) return false;
    node(root, is_row || reduction(root));
    return !full_ && blockers_.empty();
  }
  const std::vector<Value*>& blockers() const noexcept { return blockers_; }
  int reductions() const noexcept { return reductions_; }
  int references(Slot slot) const noexcept { return references_[slot]; }

 private:
  bool is_row_shape(const Dims& shape) const {
    Dims with_one = space_.shape;
    with_one[space_.axis] = 1;
    if (shape == with_one) return true;
    with_one.erase(space_.axis);
    return shape == with_one;
  }

  bool is_member(const Value& v) const {
    Space own;
    return space_of(v, own) && own.shape == space_.shape && own.axis == space_.axis &&
           own.plan.team == space_.plan.team;
  }

  // Whether a consumer of the whole shape sees element i of the value in row i.
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
    if (!in.value) return number(in.number, in.dtype);
    Value& v = *in.value;
    if (!v.is_pending()) return leaf(in, per_row, consumer);
    const bool is_recipe = v.kind == ValueKind::kRecipe;
    if (!per_row && !is_recipe && !in.layout && v.shape() == space_.shape) return node(v, false);
    if (sees_rows(in, per_row) && in.dtype == v.dtype && (!is_recipe || is_member(v)))
      return node(v, true);
    blockers_.push_back(&v);
    return 0;
  }

  Slot node(Value& v, bool per_row) {
    if (v.visit == visit_) {
      ++references_[v.slot];
      return v.slot;
    }
    const bool reduces = v.kind == ValueKind::kRecipe;
    Slot operands[kMaxInputs] = {};
    for (int i = 0; i < v.input_count && !full_; ++i)
      operands[i] = operand(v.inputs[i], per_row && !reduces, reduces ? space_.shape : v.shape());
    if (c_.node_count == kMaxNodes) full_ = true;
    if (full_) return 0;
    v.visit = visit_;
    v.slot = static_cast<Slot>(c_.node_count++);
    reductions_ += reduces;
    references_[v.slot] = 1;
    c_.nodes[v.slot] = &v;
    r_.per_row[v.slot] = per_row;
    std::copy(std::begin(operands), std::end(operands), c_.operands[v.slot]);
    return v.slot;
  }

  Slot number(const unsigned char* bytes, DType dtype) {
    if (c_.number_count == kMaxNumbers) full_ = true;
    if (full_) return 0;
    c_.numbers[c_.number_count] = {bytes, dtype};
    return static_cast<Slot>(kNumberSlot + c_.number_count++);
  }

  Slot leaf(const Input& in, bool per_row, const Dims& consumer) {
    require_ready(*in.value);
    const Layout* layout = in.layout.get();
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].value == in.value.get() && c_.leaves[i].layout == layout &&
          c_.leaves[i].dtype == in.dtype && r_.leaf_per_row[i] == per_row)
        return static_cast<Slot>(kLeafSlot + i);
    if (c_.leaf_count == kMaxLeaves) full_ = true;
    if (full_) return 0;
    const int i = c_.leaf_count++;
    Leaf& leaf = c_.leaves[i];
    leaf.value = in.value.get();
    leaf.layout = layout;
    leaf.dtype = in.dtype;
    leaf.access = Access::kLinear;
    r_.leaf_per_row[i] = per_row;
    Dims strides = broadcast_strides(layout ? *layout : *in.value->layout, consumer);
    if (strides.size() < space_.shape.size()) strides.insert(space_.axis, 0);
    r_.lane_strides[i] = strides[space_.axis];
    strides.erase(space_.axis);
    r_.outer_strides[i] = strides;
    return static_cast<Slot>(kLeafSlot + i);
  }

  RowCluster& r_;
  Cluster& c_;
  const Space& space_;
  uint64_t visit_;
  bool full_ = false;
  int reductions_ = 0;
  int references_[kMaxNodes] = {};
  std::vector<Value*> blockers_;
};

// Merges neighbouring dimensions outside of the rows wherever every leaf allows it.
void collapse(RowCluster& r, const Space& space) {
  r.outer = space.shape;
  r.outer.erase(space.axis);
  const int leaves = r.nodes.leaf_count;
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

// What is stored: the root, what arrays name, and values a row that others will ask for too.
void choose_outputs(RowCluster& r, const RowCollector& collector) {
  Cluster& c = r.nodes;
  for (int i = 0; i < c.node_count && c.output_count < kMaxOutputs - 1; ++i) {
    const Value& v = *c.nodes[i];
    const bool named = v.names.load(std::memory_order_acquire) > 0;
    const bool shared = r.per_row[i] && static_cast<int>(v.reference_count()) >
                                            collector.references(static_cast<Slot>(i));
    if (i + 1 == c.node_count || named || shared)
      c.outputs[c.output_count++] = static_cast<Slot>(i);
  }
  const auto root = static_cast<Slot>(c.node_count - 1);
  if (c.outputs[c.output_count - 1] != root) c.outputs[c.output_count++] = root;
}

// Whether all rows see the same elements of a leaf.
bool is_shared_by_rows(const RowCluster& r, int leaf) {
  const Dims& strides = r.outer_strides[leaf];
  return r.rows > 1 &&
         std::all_of(strides.begin(), strides.end(), [](int64_t s) { return s == 0; });
}

// Registers for what walks share of one element: leaves, or what is made of them.
int registers_of(const RowCluster& r) {
  const Cluster& c = r.nodes;
  auto of = [](DType t) { return static_cast<int>(divide_up(size_of(t), 4)); };
  int leaves = 0, widest = 1;
  for (int i = 0; i < c.leaf_count; ++i)
    if (r.lane_strides[i] != 0 && !is_shared_by_rows(r, i)) leaves += of(c.leaves[i].dtype);
  for (int i = 0; i < c.node_count; ++i)
    if (!r.per_row[i]) widest = std::max(widest, of(c.nodes[i]->dtype));
  return std::max(leaves, widest);
}

void choose_kept(RowCluster& r) {
  const Cluster& c = r.nodes;
  const auto nodes = static_cast<int>(std::count(r.per_row, r.per_row + c.node_count, false));
  const int element = registers_of(r), registers = element * r.plan.word;
  const int of_largest = element > 1 ? kRegistersOfWide : kRegisters;
  const int room = r.plan.team == kLargestTeam ? of_largest : kMoreRegisters;
  const int most = std::min(room / registers, kMostCode / (std::max(nodes, 1) * r.plan.word));
  r.kept = static_cast<int>(std::clamp<int64_t>(most, 1, std::max<int64_t>(r.plan.rounds, 1)));
  r.together = std::max(kReadTogether / registers, 1);
}

}  // namespace

bool plan_row(const Device& device, const Dims& shape, const std::vector<bool>& reduced,
              const Combiner& combiner, RowPlan& plan) {
  const int axis = reduced_axis(shape, reduced);
  if (axis < 0) return false;
  const int64_t n = shape[axis];
  plan = {.length = n};
  if (n < kShortest || (combiner.with_index() && n > kLongestWithIndex)) return false;
  if (device.type() != DeviceType::kGpu) return n <= kLongestOfItem && !combiner.with_index();
  if (sub_group_of(device) < kSubGroup) return false;
  if (n > kLongRow && shape.product() / n < kFewRows) return false;
  const auto items = std::bit_ceil(static_cast<uint64_t>(divide_up(n, kElements)));
  plan.team =
      static_cast<int>(std::clamp(static_cast<int64_t>(items), kSmallestTeam, kLargestTeam));
  plan.word = n % 2 == 0 ? 2 : 1;
  plan.rounds = divide_up(n, int64_t{plan.team} * plan.word);
  return true;
}

const Combiner& reduction_of(const Value& node) {
  return static_cast<const ReduceRecipe&>(*node.recipe).combiner();
}

bool collect_rows(RowCluster& rows, Value& root, bool submits) {
  constexpr int kTries = 3;
  for (int tries = 0; tries < kTries; ++tries) {
    Space space;
    if (!find_space(root, root, next_visit(root.queue), space)) return false;
    rows.nodes.node_count = rows.nodes.leaf_count = rows.nodes.number_count = 0;
    RowCollector collector(rows, space, next_visit(root.queue));
    const bool fits = collector.all(root);
    const bool alone = root.kind == ValueKind::kRecipe && collector.reductions() == 1;
    if (!collector.blockers().empty()) {
      if (collector.reductions() == 0 || !submits) return false;
      for (Value* v : collector.blockers()) submit_locked(*v);
      continue;
    }
    if (!fits || collector.reductions() == 0) return false;
    if (alone && space.plan.team == 0) return false;
    rows.plan = space.plan;
    rows.rows = space.rows;
    collapse(rows, space);
    choose_outputs(rows, collector);
    choose_kept(rows);
    return true;
  }
  return false;
}

uint64_t bytes_of_word(const RowPlan& plan, DType t) noexcept {
  constexpr uint64_t kMost = 16;
  return std::min(static_cast<uint64_t>(plan.word) * static_cast<uint64_t>(size_of(t)), kMost);
}

void find_words(RowCluster& r) noexcept {
  for (int i = 0; i < r.nodes.leaf_count; ++i) {
    const Leaf& leaf = r.nodes.leaves[i];
    const auto size = static_cast<uint64_t>(size_of(leaf.dtype));
    auto bytes = reinterpret_cast<uint64_t>(address_of(*leaf.value));
    if (leaf.layout) bytes += static_cast<uint64_t>(leaf.layout->offset) * size;
    for (int64_t stride : r.outer_strides[i]) bytes |= static_cast<uint64_t>(stride) * size;
    r.in_words[i] = r.plan.team > 0 && r.plan.word > 1 && r.lane_strides[i] == 1 &&
                    bytes % bytes_of_word(r.plan, leaf.dtype) == 0;
  }
}

std::string name_of(const RowCluster& rows) {
  const Cluster& c = rows.nodes;
  constexpr size_t kLongest = 96;
  std::string name;
  for (int i = 0; i < c.node_count && name.size() < kLongest; ++i) {
    if (!name.empty()) name += '_';
    const Value& v = *c.nodes[i];
    name += v.kind == ValueKind::kRecipe ? name_of(reduction_of(v).reduction()) : name_of(v);
  }
  return name;
}

int64_t bytes_moved(const RowCluster& r) noexcept {
  const Cluster& c = r.nodes;
  int64_t bytes = 0;
  for (int i = 0; i < c.output_count; ++i) {
    const Value& v = *c.nodes[c.outputs[i]];
    bytes += v.layout->size * size_of(v.dtype);
  }
  for (int i = 0; i < c.leaf_count; ++i) {
    int64_t n = r.lane_strides[i] == 0 ? 1 : r.plan.length;
    for (int d = 0; d < r.outer.size(); ++d)
      if (r.outer_strides[i][d] != 0) n *= r.outer[d];
    bytes += n * size_of(c.leaves[i].dtype);
  }
  return bytes;
}

}  // namespace hither::array
