// Which nodes become one element-wise kernel.
#pragma once

#include <span>

#include "array/form/kernel_form.h"
#include "array/graph/value.h"
#include "array/plan/needs.h"

namespace hither::array {

/// GPUs take at most 65535 groups in each dimension of a range but the last: so many items, with
/// groups of several items in the last dimension.
inline constexpr int64_t kLongestOuterOnGpus = 65535 * 4, kLongestMiddleOnGpus = 65535 * 16;

/// Where a leaf's elements come from.
struct Source {
  Value* value;
  const Layout* layout;  ///< null: the whole value
};

/// The extents and strides of a kernel, collapsed to as few dimensions as the buffers allow.
struct Space {
  Space() noexcept {}
  Dims extents;
  union {                           // made for leaves that are not kLinear: few kernels have any
    Dims leaf_strides[kMaxLeaves];  ///< in elements
  };
  Dims root_strides;  ///< of a root that is stored through a layout
};

/// The values behind a form's slots. The plan's root keeps them alive.
struct Binding {
  Binding() noexcept {}
  Value* nodes[kMaxNodes];
  Source leaves[kMaxLeaves];
  const unsigned char* numbers[kMaxNumbers];
};

/// One element-wise kernel to be, or what feeds another kernel (then the space is not collapsed:
/// the extents are the shape and the leaves keep their layouts).
struct Cluster {
  Cluster() noexcept {}  // does not clear the tables
  KernelForm form;
  Space space;
  Binding binding;

  Value& output(int i) const noexcept { return *binding.nodes[form.outputs[i]]; }
  /// Bytes that one run reads and writes, each buffer counted once.
  int64_t bytes_moved() const noexcept;
};

/// Adds nodes to a cluster in the order of evaluation. Changes nothing of the graph but the
/// planner's scratch. Under the graph lock.
class Collector {
 public:
  /// Nodes that a storage names become outputs when `named_outputs`.
  Collector(Cluster& cluster, Planner& planner, bool named_outputs);

  /// The slot of an operand, whose nodes are collected. Throws the error of a failed value.
  Slot operand(const Input& in);
  /// Collects `value`, which is element-wise and pending, and what is fused into it.
  Slot node(Value& value);

  /// Some table has no room left; what was collected is of no use.
  bool is_full() const noexcept { return full_; }
  /// References from nodes of the cluster to a node.
  uint32_t references(int node) const noexcept { return references_[node]; }

  /// The state to which undo() takes the cluster back, forgetting what was collected since.
  struct Mark {
    int nodes, leaves, numbers, outputs;
    size_t needs;
  };
  Mark mark() const noexcept;
  void undo(const Mark& mark) noexcept;

 private:
  Slot number(const unsigned char* bytes, DType dtype);
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
  uint32_t references_[kMaxNodes];
};

/// The form's node for `value`; its operands are filled in by the caller.
FormNode form_node(const Value& value) noexcept;

/// Plans the kernel that computes `root`, which is element-wise and pending, and those of the
/// `companions` (see plan_value()) that fit, into new memory in C order, or through the layout
/// `destination` of existing memory. Returns false when the planner's needs come first. Throws
/// the error of a failed input.
bool plan_fused(Cluster& cluster, Planner& planner, Value& root, const Layout* destination,
                std::span<const ValueRef> companions);

/// Collects the nodes that feed a reduction: `root` may be a leaf itself. Returns false when the
/// planner's needs come first.
bool plan_producers(Cluster& cluster, Planner& planner, const Input& root, const Dims& shape,
                    Slot& slot);

/// Plans a copy of `source`, seen as elements of `from` and stored as `to`, through `destination`
/// (null: new memory in C order of `shape`).
void plan_copy(Cluster& cluster, const Source& source, DType from, DType to, const Dims& shape,
               const Layout* destination, const Queue& queue);
/// Plans storing one number in every element of new memory.
void plan_number(Cluster& cluster, const unsigned char* number, DType dtype, int64_t size);

}  // namespace hither::array
