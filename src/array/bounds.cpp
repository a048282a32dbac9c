// How large the expression of a pending value may become.
#include <algorithm>

#include <llvm/ADT/SmallPtrSet.h>

#include "array/flush.h"
#include "array/graph/value.h"
#include "runtime/device_state.h"
#include "runtime/queue_state.h"

namespace hither::array {

namespace {

// Bounds of an expression: nodes, buffers, numbers and levels. A node that would exceed them gets
// its largest operand submitted first. Only counts decide, so a program always runs the same
// kernels.
constexpr int kMaxOps = kMaxNodes;
constexpr int kMaxHeight = 32;
constexpr int64_t kPinnedPart =
    8;  // pending work may keep up to an eighth of the device's memory allocated

void add_bounds(Value& node) {
  int ops = 1, leaves = 0, height = 0;
  int64_t pinned = 0;
  node.reduces = node.kind == ValueKind::kReduce;
  node.inserts = node.recipe && node.recipe->inserts_at();
  for (int i = 0; i < node.input_count; ++i) {
    const Input& in = node.inputs[i];
    const Value* v = in.value.get();
    if (!v) continue;
    const bool pending = v->is_pending();
    node.reduces = node.reduces || (pending && v->reduces);
    node.inserts = node.inserts || (pending && v->inserts);
    if (pending) height = std::max<int>(height, v->height);
    const bool fuses = pending && !in.layout && v->is_elementwise();
    ops += fuses ? v->ops : 0;
    leaves += fuses ? v->leaves : 1;
    pinned += pending ? v->pinned_bytes : v->layout->size * size_of(v->dtype);
  }
  node.ops = static_cast<uint16_t>(std::min(ops, 60000));
  // At least 1: a value made of numbers becomes a leaf when it is submitted by itself.
  node.leaves = static_cast<uint16_t>(std::clamp(leaves, 1, 60000));
  node.height = static_cast<uint8_t>(std::min(height + 1, 255));
  node.pinned_bytes = pinned;
}

/// Counts the nodes and the buffers of an expression, shared ones once.
class SharedOnce {
 public:
  explicit SharedOnce(const Queue& queue) : visit_(next_visit(queue)) {}

  /// Adds those of `v`. False, with some of them left out, if a kernel cannot have so many.
  bool add(Value& v) {
    v.planner.visit = visit_;
    bool fits = ++ops_ <= kMaxOps;
    for (int i = 0; i < v.input_count && fits; ++i) {
      const Input& in = v.inputs[i];
      if (!in.value) continue;
      const bool fuses = in.value->is_pending() && !in.layout && in.value->is_elementwise();
      if (!fuses)
        fits = add_leaf(in);
      else if (in.value->planner.visit != visit_)
        fits = add(*in.value);
    }
    return fits;
  }
  int ops() const noexcept { return ops_; }
  int leaves() const noexcept { return leaves_; }

 private:
  bool add_leaf(const Input& in) {
    for (int i = 0; i < leaves_; ++i)
      if (inputs_[i]->value.get() == in.value.get() &&
          inputs_[i]->layout.get() == in.layout.get() && inputs_[i]->dtype == in.dtype)
        return true;
    if (leaves_ == kMaxLeaves) return false;
    inputs_[leaves_++] = &in;
    return true;
  }

  const uint64_t visit_;
  int ops_ = 0, leaves_ = 0;
  const Input* inputs_[kMaxLeaves];
};

/// Whether one kernel can compute the new node. If shared nodes that are counted each time exceed
/// the bounds, they are counted once.
bool fits_a_kernel(Value& node) {
  if (node.ops <= kMaxOps && node.leaves <= kMaxLeaves) return true;
  const GraphGuard guard(node.queue);
  SharedOnce once(node.queue);
  if (!once.add(node)) return false;
  node.ops = static_cast<uint16_t>(once.ops());
  node.leaves = static_cast<uint16_t>(std::max(once.leaves(), 1));
  return true;
}

/// The bytes of the arrays in memory that `v` needs, except those that `seen` has.
int64_t pinned_once(const Value& v, llvm::SmallPtrSet<const Value*, 32>& seen) {
  if (!seen.insert(&v).second) return 0;
  if (!v.is_pending()) return v.layout->size * size_of(v.dtype);
  int64_t bytes = 0;
  for (int i = 0; i < v.input_count; ++i)
    if (const Value* input = v.inputs[i].value.get()) bytes += pinned_once(*input, seen);
  return bytes;
}

/// Whether the new node may keep the arrays that it needs. Arrays that several nodes read are
/// counted once, if counting them each time exceeds the bound.
bool may_keep_arrays(Value& node) {
  const int64_t most = node.queue.state()->device.state()->global_mem_bytes / kPinnedPart;
  if (node.pinned_bytes <= most) return true;
  const GraphGuard guard(node.queue);
  llvm::SmallPtrSet<const Value*, 32> seen;
  node.pinned_bytes = pinned_once(node, seen);
  return node.pinned_bytes <= most;
}

}  // namespace

void bound(Value& node) {
  for (;;) {
    add_bounds(node);
    if (node.height <= kMaxHeight && may_keep_arrays(node) && fits_a_kernel(node)) return;
    const Input* largest = nullptr;
    for (int i = 0; i < node.input_count; ++i) {
      const Input& in = node.inputs[i];
      if (in.value && in.value->is_pending() && (!largest || in.value->ops > largest->value->ops))
        largest = &in;
    }
    if (!largest) return;
    submit(*largest->value);
  }
}

}  // namespace hither::array
