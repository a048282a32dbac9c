#include "array/plan/store.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include <hither/strides.h>

#include "runtime/event_state.h"
#include "runtime/memory_state.h"
#include "runtime/queue_state.h"

namespace hither::array {

namespace {

/// Whether the layouts have no element in common: their intervals do not meet, or the difference of
/// their offsets is no sum of multiples of their strides. May be false although they have none.
bool are_disjoint(const Layout& x, const Layout& y) {
  if (x.size == 0 || y.size == 0) return true;
  const auto own = reach_of(x.shape, x.strides, 1, 1), other = reach_of(y.shape, y.strides, 1, 1);
  if (!own || !other) return false;
  if (x.offset + own->high <= y.offset + other->low ||
      y.offset + other->high <= x.offset + own->low)
    return true;
  int64_t step = 0;
  for (const Layout* layout : {&x, &y})
    for (int d = 0; d < layout->shape.size(); ++d)
      if (layout->shape[d] > 1) step = std::gcd(step, layout->strides[d]);
  return step != 0 && (x.offset - y.offset) % step != 0;
}

/// Whether the elements may be stored as soon as those that the leaf sees at their places are read.
bool can_be_read_during_store(const Source& leaf, DType dtype, const Value& target,
                              const Layout& layout) {
  const Layout& seen = leaf.layout ? *leaf.layout : *target.layout;
  if (dtype != target.dtype) return false;
  const bool is_same =
      seen.shape == layout.shape && seen.strides == layout.strides && seen.offset == layout.offset;
  return is_same || are_disjoint(seen, layout);
}

bool is_output(const KernelForm& f, Slot node) {
  return std::find(f.outputs, f.outputs + f.output_count, node) != f.outputs + f.output_count;
}

using Slots = llvm::SmallVector<Slot, kMaxOutputs>;

/// For a store of the cluster's root through `layout` of `target`: the number of references to the
/// target that the cluster's nodes hold, and in `needed` the nodes that read it and that something
/// outside the cluster still needs. Returns nothing if an element would be read after it was
/// overwritten.
std::optional<uint32_t> references_to(const Cluster& cluster, const Value& target,
                                      const Layout& layout, Slots& needed) {
  const KernelForm& f = cluster.form;
  uint32_t references[kMaxNodes] = {}, held = 0;
  bool reads[kMaxNodes] = {};  // the target, directly or through operands
  for (int i = 0; i < f.node_count; ++i)
    for (int k = 0; k < f.nodes[i].operand_count; ++k) {
      const Slot slot = f.nodes[i].operands[k];
      if (slot < kLeafSlot) {
        ++references[slot];
        reads[i] = reads[i] || reads[slot];
      } else if (slot < kNumberSlot) {
        const Source& leaf = cluster.binding.leaves[slot - kLeafSlot];
        if (leaf.value != &target) continue;
        if (!can_be_read_during_store(leaf, f.leaves[slot - kLeafSlot].dtype, target, layout))
          return std::nullopt;
        reads[i] = true;
        ++held;
      }
    }
  for (int i = 0; i < f.node_count; ++i)
    if (reads[i] && !is_output(f, static_cast<Slot>(i)) &&
        cluster.binding.nodes[i]->reference_count() > references[i])
      needed.push_back(static_cast<Slot>(i));
  return held;
}

}  // namespace

std::optional<uint32_t> plan_in_place(Cluster& cluster, const Value& target, const Layout& layout) {
  Slots needed;
  const auto held = references_to(cluster, target, layout, needed);
  KernelForm& f = cluster.form;
  if (!held || f.output_count + needed.size() > kMaxOutputs) return std::nullopt;
  const Slot root = f.root();
  for (const Slot node : needed) {
    f.outputs[f.output_count - 1] = node;
    f.outputs[f.output_count++] = root;
  }
  return held;
}

namespace {

/// Whether the uses of the value's memory end before a task that depends on the value and is
/// submitted to its queue now. They are no dependencies, because an error of a use is not the
/// task's.
bool uses_come_first(const Value& v) {
  const uint64_t order = v.queue.state()->driver->order();
  const Event written = v.written;
  runtime::AllocationState& memory = *v.memory.state();
  const std::lock_guard lock(memory.mutex);
  return std::ranges::all_of(memory.last_uses, [&](const Event& e) {
    return e.is_complete() || e.state() == written.state() ||
           (order != 0 && e.state()->order() == order);
  });
}

}  // namespace

Value* replaceable_operand(const Cluster& cluster, const Value& root) {
  const int64_t bytes_each = size_of(root.dtype);
  const auto bytes = static_cast<size_t>(root.layout->size * bytes_each);
  for (int i = 0; i < cluster.form.leaf_count; ++i) {
    Value& v = *cluster.binding.leaves[i].value;
    if (v.names.load(std::memory_order_acquire) > 0 || size_of(v.dtype) != bytes_each ||
        v.offset_bytes != 0 || v.usm_type != root.usm_type || !(v.queue == root.queue) ||
        v.memory.bytes() != bytes || v.memory.is_foreign() || v.memory.state().use_count() > 1 ||
        v.memory.state()->is_lent)
      continue;
    Slots needed;
    const auto held = references_to(cluster, v, *root.layout, needed);
    if (held && needed.empty() && v.reference_count() == *held && uses_come_first(v)) return &v;
  }
  return nullptr;
}

}  // namespace hither::array
