#include "array/plan/cluster.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "array/plan/gpu_forms.h"

namespace hither::array {

FormNode form_node(const Value& v) noexcept {
  FormNode node{.kind = NodeKind::kApply,
                .op = v.op,
                .dtype = v.dtype,
                .compute = v.compute,
                .reduction = Reduction::kSum,
                .operand_count = v.input_count,
                .operands = {},
                .user = v.user.get()};
  switch (v.kind) {
    case ValueKind::kCast:
    case ValueKind::kConstant:
      node.kind = NodeKind::kCast;
      node.compute = v.inputs[0].dtype;
      break;
    case ValueKind::kIota:
      node.kind = NodeKind::kIota;
      break;
    case ValueKind::kReduce:
      node.kind = NodeKind::kReduce;
      node.reduction = v.reduce->accumulation.reduction;
      node.compute = v.reduce->accumulation.dtype;
      node.user = v.reduce->accumulation.user;
      break;
    default:
      break;
  }
  return node;
}

Collector::Collector(Cluster& cluster, Planner& planner, bool named_outputs)
    : c_(cluster), planner_(planner), visit_(planner.next_visit()), named_outputs_(named_outputs) {}

// Every operation uses this function, so it is inlined into its callers in this file.
inline Slot Collector::number(const Input& number) {
  KernelForm& f = c_.form;
  if (f.number_count == kMaxNumbers) return full();
  c_.binding.numbers[f.number_count] = &number;
  f.numbers[f.number_count] = number.dtype;
  return static_cast<Slot>(kNumberSlot + f.number_count++);
}

inline Slot Collector::leaf(Value& v, const Layout* layout, DType dtype) {
  require_ready(v);
  KernelForm& f = c_.form;
  const Source* leaves = c_.binding.leaves;
  for (int i = 0; i < f.leaf_count; ++i)
    if (leaves[i].value == &v && leaves[i].layout == layout && f.leaves[i].dtype == dtype)
      return static_cast<Slot>(kLeafSlot + i);
  if (f.leaf_count == kMaxLeaves) return full();
  c_.binding.leaves[f.leaf_count] = {&v, layout};
  f.leaves[f.leaf_count] = {dtype, Access::kLinear, 0, 0, 0};
  return static_cast<Slot>(kLeafSlot + f.leaf_count++);
}

inline Slot Collector::operand(const Input& in) {
  if (!in.value) return number(in);
  if (planner_.fuses(in)) return node(*in.value);
  if (planner_.is_pending(*in.value)) {
    planner_.need(*in.value);
    return 0;
  }
  return leaf(*in.value, in.layout.get(), in.dtype);
}

Slot Collector::node(Value& v) {
  if (v.planner.visit == visit_) return v.planner.slot;
  Slot operands[kMaxInputs];
  for (int i = 0; i < v.input_count; ++i) operands[i] = operand(v.inputs[i]);
  KernelForm& f = c_.form;
  if (full_ || f.node_count == kMaxNodes) return full();
  const int n = f.node_count++;
  v.planner = {.visit = visit_, .slot = static_cast<Slot>(n)};
  f.nodes[n] = form_node(v);
  std::copy_n(operands, v.input_count, f.nodes[n].operands);
  c_.binding.nodes[n] = &v;
  const bool named = v.names.load(std::memory_order_acquire) > 0;
  if (named_outputs_ && named && f.output_count < kMaxOutputs - 1)
    f.outputs[f.output_count++] = static_cast<Slot>(n);
  return static_cast<Slot>(n);
}

Collector::Mark Collector::mark() const noexcept {
  const KernelForm& f = c_.form;
  return {f.node_count, f.leaf_count, f.number_count, f.output_count, planner_.needs.size()};
}

void Collector::undo(const Mark& mark) noexcept {
  KernelForm& f = c_.form;
  for (int i = mark.nodes; i < f.node_count; ++i) c_.binding.nodes[i]->planner.visit = 0;
  f.node_count = mark.nodes;
  f.leaf_count = mark.leaves;
  f.number_count = mark.numbers;
  f.output_count = mark.outputs;
  planner_.needs.truncate(mark.needs);
  full_ = false;
}

namespace {

bool is_plain(const Source& leaf, const Dims& shape) {
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

// Selects the tile dimension: leaves that are contiguous in a dimension other than the last one are
// transposed. Read element by element they would touch a cache line per element and evict it before
// the neighbouring elements are read.
void choose_tile(Cluster& c) {
  KernelForm& f = c.form;
  const Dims& extents = c.space.extents;
  const int64_t at_least = f.tiles_in_groups ? 32 : 16;
  constexpr int kMostPlaces = 4;  // in local memory, of up to 8 bytes per element
  const int last = extents.size() - 1;
  if (last < 1 || extents[last] < at_least) return;
  if (f.root_strided && f.root_access != Access::kUnit) return;
  int found = 0;
  for (int i = 0; i < f.leaf_count; ++i) {
    FormLeaf& leaf = f.leaves[i];
    if (leaf.access < Access::kReverse || (is_complex(leaf.dtype) && !f.tiles_in_groups)) continue;
    const int places = size_of(leaf.dtype) > 8 ? 2 : 1;
    if (found + places > kMostPlaces) continue;
    for (int d = 0; d < last; ++d) {
      if (c.space.leaf_strides[i][d] != 1 || extents[d] < at_least || (f.tile >= 0 && d != f.tile))
        continue;
      f.tile = d;
      leaf.access = Access::kAcross;
      found += places;
      break;
    }
  }
}

// From this number of items on, a range is long.
constexpr int64_t kLongRange = int64_t{1} << 31;

// Whether the range of a GPU has the last dimensions as its own: all but the last one are within
// the limits of GPUs, and the last one has enough elements that consecutive items fill sectors of
// memory. In long ranges, divisions would take more time than that saves.
bool suits_gpu_range(const Dims& extents) {
  constexpr int64_t kFewColumns = 32;
  if (extents.size() > 1 && extents.back() < kFewColumns && extents.product() < kLongRange)
    return false;
  const int middle = extents.size() - 2;
  int64_t outer = 1;
  for (int d = 0; d < middle; ++d) outer *= extents[d];
  return middle < 0 || (extents[middle] <= kLongestMiddleOnGpus && outer <= kLongestOuterOnGpus);
}

// The strides of the space: those of leaves that are not kLinear, and of a strided root.
llvm::SmallVector<Dims*, kMaxLeaves + 1> fill_strides(Cluster& c, const Dims& shape,
                                                      const Layout* destination) {
  llvm::SmallVector<Dims*, kMaxLeaves + 1> all;
  const auto add = [&](Dims& strides, const Layout& layout) {
    all.push_back(new (&strides) Dims(broadcast_strides(layout, shape)));
  };
  for (int i = 0; i < c.form.leaf_count; ++i) {
    const Source& leaf = c.binding.leaves[i];
    if (is_plain(leaf, shape)) continue;
    add(c.space.leaf_strides[i], *leaf.layout);
    c.form.leaves[i].access = Access::kStrided;
  }
  if (c.form.root_strided) add(c.space.root_strides, *destination);
  return all;
}

// Drops dimensions of extent 1, and merges adjacent dimensions where all strides allow it.
void collapse(Dims& extents, std::span<Dims* const> all) {
  const auto drop = [&](int d) {
    extents.erase(d);
    for (Dims* strides : all) strides->erase(d);
  };
  for (int d = extents.size() - 1; d >= 0; --d)
    if (extents[d] == 1 && extents.size() > 1) drop(d);
  for (int d = extents.size() - 2; d >= 0; --d) {
    const bool merges = std::ranges::all_of(all, [&](const Dims* strides) {
      return (*strides)[d] == (*strides)[d + 1] * extents[d + 1];
    });
    if (!merges) continue;
    extents[d + 1] *= extents[d];
    drop(d);
  }
  if (!extents.empty()) return;
  extents.push_back(1);
  for (Dims* strides : all) strides->push_back(0);
}

// On GPUs, makes shifted views of one array, which a stencil or a filter reads, neighbours of the
// first of them, so that a thread loads once what several of its items read.
void find_neighbours(Cluster& c, const Queue& queue) {
  constexpr int64_t kNear = 32;
  KernelForm& f = c.form;
  const Source* leaves = c.binding.leaves;
  const auto offset = [&](int i) { return leaves[i].layout ? leaves[i].layout->offset : 0; };
  const auto is_of = [&](int i, int base) {
    return leaves[i].value == leaves[base].value && f.leaves[i].dtype == f.leaves[base].dtype &&
           f.leaves[i].access == Access::kLinear && f.leaves[base].access == Access::kLinear &&
           offset(i) >= offset(base) && offset(i) - offset(base) <= kNear;
  };
  for (int i = 0; i < f.leaf_count; ++i) {
    int base = i;
    for (int j = 0; j < f.leaf_count; ++j)
      if (j != i && is_of(i, j) && offset(j) < offset(base)) base = j;
    if (base == i || !takes_gpu_forms(queue)) continue;
    f.leaves[i].base = static_cast<uint8_t>(base + 1);
    f.leaves[i].shift = static_cast<int8_t>(offset(i) - offset(base));
  }
}

void note_repeats(Cluster& c) {
  for (int i = 0; i < c.form.leaf_count; ++i) {
    FormLeaf& leaf = c.form.leaves[i];
    if (leaf.access == Access::kLinear) continue;
    leaf.repeats = repeated_dimensions(c.space.leaf_strides[i]);
  }
}

// Computes the space, and the access of each buffer in it.
void lay_out(Cluster& c, const Dims& shape, const Layout* destination, const Queue& queue) {
  KernelForm& f = c.form;
  f.root_strided = destination && !(destination->contiguous && destination->shape == shape);
  f.root_aligned = !destination && is_complex(f.nodes[f.root()].dtype);
  const auto* leaves = c.binding.leaves;
  if (!f.root_strided && std::all_of(leaves, leaves + f.leaf_count,
                                     [&](const Source& leaf) { return is_plain(leaf, shape); })) {
    c.space.extents = Dims{shape.product()};
    return find_neighbours(c, queue);
  }
  c.space.extents = shape;
  collapse(c.space.extents, fill_strides(c, shape, destination));
  f.rank = c.space.extents.size();
  for (int i = 0; i < f.leaf_count; ++i)
    if (f.leaves[i].access != Access::kLinear)
      f.leaves[i].access = access_of(c.space.leaf_strides[i]);
  if (f.root_strided) f.root_access = access_of(c.space.root_strides);
  f.tiles_in_groups = takes_gpu_forms(queue);
  if (f.tiles_in_groups) note_repeats(c);
  choose_tile(c);
  if (f.tiles_in_groups && f.tile < 0 && !suits_gpu_range(c.space.extents)) f.ranges = 1;
  if (f.rank <= f.ranges || f.tile >= 0) return;
  int64_t first = 1;
  for (int d = 0; d <= f.rank - f.ranges; ++d) first *= c.space.extents[d];
  f.long_range = first >= kLongRange;
}

bool has_few_strides(const Cluster& c) {
  constexpr int kOfFolded = 3;  // arguments for each dimension
  if (c.form.rank <= kMostStrides / (kMaxLeaves + 1 + kOfFolded)) return true;
  const FormLeaf* leaves = c.form.leaves;
  const auto strided = std::count_if(leaves, leaves + c.form.leaf_count, [](const FormLeaf& leaf) {
    return leaf.access != Access::kLinear;
  });
  return (strided + c.form.root_strided + kOfFolded) * c.form.rank <= kMostStrides;
}

// The expression does not fit one kernel, so its largest operand has to be submitted first.
void need_largest_operand(Planner& planner, const Value& root) {
  const Input* largest = nullptr;
  for (int i = 0; i < root.input_count; ++i) {
    const Input& in = root.inputs[i];
    if (planner.fuses(in) && (!largest || in.value->ops > largest->value->ops)) largest = &in;
  }
  if (!largest)
    throw Error(ErrorKind::kInternal, "plan",
                fmt::format("{} with {} operands of shape {} does not fit the tables of a kernel",
                            name_of(form_node(root)), root.input_count, shape_text(root.shape())));
  planner.need(*largest->value);
}

// Adds the companions that fit. The others are computed by kernels of their own. What a companion
// needs is submitted first, as what the root needs.
void add_companions(Collector& collector, std::span<const ValueRef> companions) {
  for (const ValueRef& other : companions) {
    if (!other->is_elementwise()) continue;
    const Collector::Mark before = collector.mark();
    collector.node(*other);
    if (collector.is_full()) collector.undo(before);
  }
}

}  // namespace

bool plan_fused(Cluster& c, Planner& planner, Value& root, const Layout* destination,
                std::span<const ValueRef> companions) {
  Collector collector(c, planner, true);
  const Slot slot = collector.node(root);
  if (!planner.needs.empty()) return false;
  if (collector.is_full()) {
    need_largest_operand(planner, root);
    return false;
  }
  KernelForm& f = c.form;
  // A storage may name the root too. It is the last output and occurs once.
  if (f.output_count > 0 && f.root() == slot) --f.output_count;
  add_companions(collector, companions);
  if (!planner.needs.empty()) return false;
  f.outputs[f.output_count++] = slot;
  lay_out(c, root.shape(), destination, root.queue);
  if (has_few_strides(c)) return true;
  std::construct_at(&c);
  if (!companions.empty()) return plan_fused(c, planner, root, destination, {});
  need_largest_operand(planner, root);
  return false;
}

bool plan_producers(Cluster& c, Planner& planner, const Input& root, const Dims& shape,
                    Slot& slot) {
  Collector collector(c, planner, true);
  slot = collector.operand(root);
  if (collector.is_full() && planner.needs.empty()) planner.need(*root.value);
  c.space.extents = shape;
  return planner.needs.empty();
}

namespace {

void plan_cast(Cluster& c, DType from, DType to, Slot operand) {
  c.form.nodes[0] = {.kind = NodeKind::kCast,
                     .op = Op::kCount,
                     .dtype = to,
                     .compute = from,
                     .reduction = Reduction::kSum,
                     .operand_count = 1,
                     .operands = {operand},
                     .user = nullptr};
  c.form.node_count = c.form.output_count = 1;
  c.form.outputs[0] = 0;
}

}  // namespace

void plan_copy(Cluster& c, const Source& source, DType from, DType to, const Dims& shape,
               const Layout* destination, const Queue& queue) {
  plan_cast(c, from, to, kLeafSlot);
  c.binding.leaves[0] = source;
  c.form.leaves[0] = {from, Access::kLinear, 0, 0, 0};
  c.form.leaf_count = 1;
  lay_out(c, shape, destination, queue);
}

void plan_number(Cluster& c, const Input& number, int64_t size) {
  plan_cast(c, number.dtype, number.dtype, kNumberSlot);
  c.binding.numbers[0] = &number;
  c.form.numbers[0] = number.dtype;
  c.form.number_count = 1;
  c.space.extents = Dims{size};
}

int64_t Cluster::bytes_moved() const noexcept {
  int64_t whole = 0,
          parts = 0;  // elements of inputs of the space's full size; elements of smaller inputs
  const int64_t items = space.extents.product();
  for (int i = 0; i < form.output_count; ++i) whole += size_of(form.nodes[form.outputs[i]].dtype);
  for (int i = 0; i < form.leaf_count; ++i) {
    const int size = size_of(form.leaves[i].dtype);
    if (form.leaves[i].access == Access::kLinear) {
      whole += size;
      continue;
    }
    int64_t touched = items;
    for (int d = 0; d < space.extents.size(); ++d)
      if (space.leaf_strides[i][d] == 0 && space.extents[d] > 0) touched /= space.extents[d];
    parts += touched * size;
  }
  return whole * items + parts;
}

}  // namespace hither::array
