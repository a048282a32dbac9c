#include "array/cluster.h"

#include <algorithm>

#include "array/flush.h"
#include "array/gpu_forms.h"
#include "array/user_function.h"

namespace hither::array {

bool fuses(const Input& input) noexcept {
  return input.value && !input.layout && input.value->is_pending() &&
         input.value->kind != ValueKind::kRecipe;
}

std::string_view name_of(const Value& value) noexcept {
  switch (value.kind) {
    case ValueKind::kCast:
      return value.inputs[0].dtype == value.dtype ? "copy" : "astype";
    case ValueKind::kConstant:
      return "full";
    case ValueKind::kIota:
      return "arange";
    default:
      return operation_name(value);
  }
}

namespace {

// Submits everything below `value` that is read and cannot be fused, so that the collection that
// follows meets only leaves and fusable nodes, and nests in nothing.
void submit_unfusable(Value& value, uint64_t visit) {
  if (value.visit == visit) return;
  value.visit = visit;
  for (int i = 0; i < value.input_count; ++i) {
    Input& in = value.inputs[i];
    if (!in.value || !in.value->is_pending()) continue;
    if (fuses(in))
      submit_unfusable(*in.value, visit);
    else
      submit_locked(*in.value);
  }
}

bool has_unfusable(const Value& value, uint64_t visit) {
  for (int i = 0; i < value.input_count; ++i) {
    const Input& in = value.inputs[i];
    if (!in.value || !in.value->is_pending()) continue;
    if (!fuses(in)) return true;
    if (in.value->visit == visit) continue;
    in.value->visit = visit;
    if (has_unfusable(*in.value, visit)) return true;
  }
  return false;
}

class Collector {
 public:
  Collector(Cluster& cluster, uint64_t visit, bool extra_outputs)
      : c_(cluster), visit_(visit), extra_outputs_(extra_outputs) {}

  Slot operand(const Input& in) {
    if (!in.value) return number(in.number, in.dtype);
    if (fuses(in)) return node(*in.value);
    return leaf(*in.value, in.layout.get(), in.dtype);
  }

  Slot node(Value& v) {
    if (v.visit == visit_) return v.slot;
    Slot operands[kMaxInputs] = {};
    for (int i = 0; i < v.input_count; ++i) operands[i] = operand(v.inputs[i]);
    v.visit = visit_;
    v.slot = static_cast<Slot>(c_.node_count);
    c_.nodes[c_.node_count] = &v;
    std::copy(std::begin(operands), std::end(operands), c_.operands[c_.node_count]);
    ++c_.node_count;
    const bool named = v.names.load(std::memory_order_acquire) > 0;
    if (extra_outputs_ && named && c_.output_count < kMaxOutputs - 1)
      c_.outputs[c_.output_count++] = v.slot;
    return v.slot;
  }

 private:
  Slot number(const unsigned char* bytes, DType dtype) {
    c_.numbers[c_.number_count] = {bytes, dtype};
    return static_cast<Slot>(kNumberSlot + c_.number_count++);
  }

  Slot leaf(Value& v, const Layout* layout, DType dtype) {
    require_ready(v);
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].value == &v && c_.leaves[i].layout == layout && c_.leaves[i].dtype == dtype)
        return static_cast<Slot>(kLeafSlot + i);
    Leaf& leaf = c_.leaves[c_.leaf_count];
    leaf.value = &v;
    leaf.layout = layout;
    leaf.dtype = dtype;
    leaf.access = Access::kLinear;
    return static_cast<Slot>(kLeafSlot + c_.leaf_count++);
  }

  Cluster& c_;
  uint64_t visit_;
  bool extra_outputs_;
};

bool plain(const Leaf& leaf, const Dims& shape) {
  return !leaf.layout || (leaf.layout->contiguous && leaf.layout->shape == shape);
}

Access access_of(const Dims& strides) {
  switch (strides.back()) {
    case -1:
      return Access::kReverse;
    case 0:
      return Access::kRepeat;
    case 1:
      return Access::kUnit;
    case 2:
      return Access::kSecond;
    case 3:
      return Access::kThird;
    case 4:
      return Access::kFourth;
    default:
      return Access::kStrided;
  }
}

// Leaves that are contiguous in another dimension than the last: read element by element they would
// touch a cache line for each, and lose it before its neighbours are due.
void choose_tile(Cluster& c) {
  const int64_t at_least = c.tiles_in_groups ? 32 : 16;
  constexpr int kMostPlaces = 4;  // in local memory, of up to 8 bytes an element
  const int last = c.extents.size() - 1;
  if (last < 1 || c.extents[last] < at_least) return;
  if (c.root_strided && c.root_access != Access::kUnit) return;
  int found = 0;
  for (int i = 0; i < c.leaf_count; ++i) {
    Leaf& leaf = c.leaves[i];
    if (leaf.access < Access::kReverse || (is_complex(leaf.dtype) && !c.tiles_in_groups)) continue;
    const int places = size_of(leaf.dtype) > 8 ? 2 : 1;
    if (found + places > kMostPlaces) continue;
    for (int d = 0; d < last; ++d) {
      if (leaf.strides[d] != 1 || c.extents[d] < at_least || (c.tile >= 0 && d != c.tile)) continue;
      c.tile = d;
      leaf.access = Access::kAcross;
      found += places;
      break;
    }
  }
}

// Whether all but the last dimension are as short as GPUs have them.
bool fits_gpu_range(const Dims& extents) {
  const int middle = extents.size() - 2;
  int64_t outer = 1;
  for (int d = 0; d < middle; ++d) outer *= extents[d];
  return middle < 0 || (extents[middle] <= kLongestMiddleOnGpus && outer <= kLongestOuterOnGpus);
}

// Merges neighbouring dimensions wherever every buffer allows it.
void collapse(Cluster& c, const Dims& shape, const Layout* destination) {
  Dims* strides[kMaxLeaves + 1];
  int count = 0;
  for (int i = 0; i < c.leaf_count; ++i) {
    Leaf& leaf = c.leaves[i];
    if (plain(leaf, shape)) continue;
    new (&leaf.strides) Dims(broadcast_strides(*leaf.layout, shape));
    leaf.access = Access::kStrided;
    strides[count++] = &leaf.strides;
  }
  if (c.root_strided) {
    c.root_strides = broadcast_strides(*destination, shape);
    strides[count++] = &c.root_strides;
  }
  Dims extents = shape;
  for (int d = extents.size() - 1; d >= 0; --d) {
    if (extents[d] != 1 || extents.size() == 1) continue;
    extents.erase(d);
    for (int k = 0; k < count; ++k) strides[k]->erase(d);
  }
  for (int d = extents.size() - 2; d >= 0; --d) {
    bool merges = true;
    for (int k = 0; k < count && merges; ++k)
      merges = (*strides[k])[d] == (*strides[k])[d + 1] * extents[d + 1];
    if (!merges) continue;
    extents[d] *= extents[d + 1];
    extents.erase(d + 1);
    for (int k = 0; k < count; ++k) {
      (*strides[k])[d] = (*strides[k])[d + 1];
      strides[k]->erase(d + 1);
    }
  }
  if (extents.empty()) {
    extents.push_back(1);
    for (int k = 0; k < count; ++k) strides[k]->push_back(0);
  }
  c.extents = extents;
  for (int i = 0; i < c.leaf_count; ++i)
    if (c.leaves[i].access != Access::kLinear) c.leaves[i].access = access_of(c.leaves[i].strides);
  if (c.root_strided) c.root_access = access_of(c.root_strides);
  choose_tile(c);
}

}  // namespace

void collect(Cluster& c, Value& root, const Layout* destination, bool extra_outputs,
             std::span<Value* const> beside) {
  submit_unfusable(root, next_visit(root.queue));
  Collector collector(c, next_visit(root.queue), extra_outputs);
  for (Value* other : beside) collector.node(*other);
  const Slot slot = collector.node(root);
  // The root is named too: it comes last among the outputs, once.
  if (c.output_count == 0 || c.outputs[c.output_count - 1] != slot)
    c.outputs[c.output_count++] = slot;
  const Dims& shape = root.shape();
  c.root_strided = destination && !(destination->contiguous && destination->shape == shape);
  bool all_plain = !c.root_strided;
  for (int i = 0; i < c.leaf_count && all_plain; ++i) all_plain = plain(c.leaves[i], shape);
  if (all_plain) {
    c.extents = Dims{root.layout->size};
    return;
  }
  const bool on_gpu = takes_gpu_forms(root.queue);
  if (on_gpu) c.tiles_in_groups = true;
  collapse(c, shape, destination);
  if (on_gpu && !fits_gpu_range(c.extents)) c.ranges = 1;
}

Slot collect_producers(Cluster& c, const Input& root, const Dims& shape, bool extra_outputs) {
  c.extents = shape;
  if (root.value && root.value->is_pending()) {
    if (fuses(root))
      submit_unfusable(*root.value, next_visit(root.value->queue));
    else
      submit_locked(*root.value);
  }
  const bool pending = root.value && root.value->is_pending();
  return Collector(c, pending ? next_visit(root.value->queue) : 0, extra_outputs).operand(root);
}

bool has_unfusable_inputs(Value& value) { return has_unfusable(value, next_visit(value.queue)); }

void submit_unfusable_inputs(Value& value) { submit_unfusable(value, next_visit(value.queue)); }

namespace {

void count_reads(Value& v, const Value& target, const Layout& layout, uint64_t visit,
                 ReadCount& count) {
  if (v.visit == visit) return;
  v.visit = visit;
  for (int i = 0; i < v.input_count; ++i) {
    const Input& in = v.inputs[i];
    if (fuses(in)) {
      count_reads(*in.value, target, layout, visit, count);
    } else if (in.value.get() == &target) {
      const Layout& seen = in.layout ? *in.layout : *target.layout;
      const bool same = in.dtype == target.dtype && seen.shape == layout.shape &&
                        seen.strides == layout.strides && seen.offset == layout.offset;
      ++(same ? count.same : count.other);
    }
  }
}

}  // namespace

ReadCount count_reads(Value& value, const Value& target, const Layout& layout) {
  ReadCount count;
  count_reads(value, target, layout, next_visit(value.queue), count);
  return count;
}

void Cluster::append_key(KeyText& key) const {
  char bytes[9 + kMaxNodes * (4 + kMaxInputs) + 2 * kMaxLeaves + kMaxNumbers + kMaxOutputs];
  char* at = bytes;
  auto put = [&](auto v) { *at++ = static_cast<char>(v); };
  put(extents.size());
  put(tile);
  put(tiles_in_groups);
  put(ranges);
  put(node_count);
  for (int i = 0; i < node_count; ++i) {
    const Value& v = *nodes[i];
    put(v.kind);
    put(v.op);
    put(v.dtype);
    put(v.compute);
    for (int k = 0; k < v.input_count; ++k) put(operands[i][k]);
  }
  put(leaf_count);
  for (int i = 0; i < leaf_count; ++i) {
    put(leaves[i].dtype);
    put(leaves[i].access);
  }
  put(number_count);
  for (int i = 0; i < number_count; ++i) put(numbers[i].dtype);
  put(output_count);
  for (int i = 0; i < output_count; ++i) put(outputs[i]);
  put(root_strided ? static_cast<int>(root_access) : -1);
  key.append(bytes, at);
  for (int i = 0; i < node_count; ++i)
    if (nodes[i]->user) key += nodes[i]->user->key;
}

int64_t Cluster::bytes_moved() const noexcept {
  int64_t bytes = 0;
  const int64_t items = extents.product();
  for (int i = 0; i < output_count; ++i) bytes += items * size_of(nodes[outputs[i]]->dtype);
  for (int i = 0; i < leaf_count; ++i) {
    int64_t touched = items;
    if (leaves[i].access != Access::kLinear)
      for (int d = 0; d < extents.size(); ++d)
        if (leaves[i].strides[d] == 0 && extents[d] > 0) touched /= extents[d];
    bytes += touched * size_of(leaves[i].dtype);
  }
  return bytes;
}

}  // namespace hither::array
