#include "array/plan/store.h"

#include <algorithm>

namespace hither::array {

namespace {

bool sees_the_same(const Source& leaf, DType dtype, const Value& target, const Layout& layout) {
  const Layout& seen = leaf.layout ? *leaf.layout : *target.layout;
  return dtype == target.dtype && seen.shape == layout.shape && seen.strides == layout.strides &&
         seen.offset == layout.offset;
}

bool is_output(const KernelForm& f, Slot node) {
  return std::find(f.outputs, f.outputs + f.output_count, node) != f.outputs + f.output_count;
}

}  // namespace

std::optional<uint32_t> plan_in_place(Cluster& cluster, const Value& target, const Layout& layout) {
  KernelForm& f = cluster.form;
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
        if (!sees_the_same(leaf, f.leaves[slot - kLeafSlot].dtype, target, layout))
          return std::nullopt;
        reads[i] = true;
        ++held;
      }
    }
  const Slot root = f.root();
  for (int i = 0; i < f.node_count; ++i) {
    if (!reads[i] || is_output(f, i) ||
        cluster.binding.nodes[i]->reference_count() <= references[i])
      continue;
    if (f.output_count == kMaxOutputs) return std::nullopt;
    f.outputs[f.output_count - 1] = static_cast<Slot>(i);
    f.outputs[f.output_count++] = root;
  }
  return held;
}

}  // namespace hither::array
