// Clusters: the nodes that one element-wise kernel computes.
#pragma once

#include <span>

#include "array/form/kernel_form.h"
#include "array/graph/value.h"
#include "array/plan/needs.h"

namespace hither::array {

/// Largest outer and middle extents of a range for GPUs. They accept at most 65535 groups in each
/// dimension but the last, and this leaves several items per group for the last dimension.
inline constexpr int64_t kLongestOuterOnGpus = 65535 * 4, kLongestMiddleOnGpus = 65535 * 16;

/// Most strides and folded extents that a kernel takes as arguments, because CUDA limits the
/// arguments of a kernel to 4096 bytes. A node whose operands are in memory needs fewer.
inline constexpr int kMostStrides = 256;

/// The value and layout that a leaf reads.
struct Source {
  Value* value;
  const Layout* layout;  ///< null: the whole value in C order
};

/// The extents and strides of a kernel, collapsed to as few dimensions as the buffers allow.
struct Space {
  Space() noexcept {}
  Dims extents;
  union {  // initialised only for leaves that are not kLinear, because few kernels have such leaves
    Dims leaf_strides[kMaxLeaves];  ///< in elements
  };
  Dims root_strides;  ///< of a root that is stored through a layout
};

/// The values that a form's slots stand for. The root of the plan keeps them alive.
struct Binding {
  Binding() noexcept {}
  Value* nodes[kMaxNodes];
  Source leaves[kMaxLeaves];
  const Input* numbers[kMaxNumbers];  ///< operands that are numbers
};

/// The plan of one element-wise kernel, or of the producers of another kernel. For producers the
/// space is not collapsed: the extents are the shape, and the leaves keep their layouts.
struct Cluster {
  Cluster() noexcept {}  // leaves the tables uninitialised
  KernelForm form;
  Space space;
  Binding binding;

  Value& output(int i) const noexcept { return *binding.nodes[form.outputs[i]]; }
  /// Bytes that the kernel reads and writes; each buffer counts once.
  int64_t bytes_moved() const noexcept;
};

/// Adds nodes to a cluster in evaluation order. Of the graph it changes only the planner's scratch.
/// Under the graph lock.
class Collector {
 public:
  /// With `named_outputs`, nodes that a storage names become outputs.
  Collector(Cluster& cluster, Planner& planner, bool named_outputs);

  /// Collects the nodes of an operand and returns its slot. Throws the error of a failed value.
  Slot operand(const Input& in);
  /// Collects `value`, which is element-wise and pending, and the nodes that fuse with it.
  Slot node(Value& value);

  /// Whether a table overflowed. The cluster is then unusable.
  bool is_full() const noexcept { return full_; }

  /// A state of the cluster that undo() can restore.
  struct Mark {
    int nodes, leaves, numbers, outputs;
    size_t needs;
  };
  Mark mark() const noexcept;
  void undo(const Mark& mark) noexcept;

 private:
  Slot number(const Input& number);
  Slot leaf(Value& value, const Layout* layout, DType dtype);
  Slot full() noexcept {
    full_ = true;
    return 0;
  }

  Cluster& c_;
  Planner& planner_;
  const uint64_t visit_;
  const bool named_outputs_;
  bool full_ = false;
};

/// The form's node for `value`. The caller fills in the operands.
FormNode form_node(const Value& value) noexcept;

/// Plans the kernel that computes `root`, which is element-wise and pending, and those `companions`
/// (see plan_value()) that fit. The root is stored in new memory in C order, or through the layout
/// `destination` of existing memory. Returns false when the planner has needs. Throws the error of
/// a failed input.
bool plan_fused(Cluster& cluster, Planner& planner, Value& root, const Layout* destination,
                std::span<const ValueRef> companions);

/// Collects the producers of a reduction's operand `root`, which may itself be a leaf. Returns
/// false when the planner has needs.
bool plan_producers(Cluster& cluster, Planner& planner, const Input& root, const Dims& shape,
                    Slot& slot);

/// Plans a copy of `source`, read as dtype `from` and stored as dtype `to`, through `destination`
/// (null: new memory in C order of `shape`).
void plan_copy(Cluster& cluster, const Source& source, DType from, DType to, const Dims& shape,
               const Layout* destination, const Queue& queue);
/// Plans a kernel that stores one number in every element of new memory.
void plan_number(Cluster& cluster, const Input& number, int64_t size);

}  // namespace hither::array
