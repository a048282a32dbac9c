// Row clusters: nodes that one kernel computes row by row. These are reductions over the last axis,
// their producers, and nodes computed from their results.
#pragma once

#include "array/form/row_form.h"
#include "array/plan/cluster.h"

namespace hither::array {

/// How one row kernel handles the rows of a reduction: length, count, and items per row.
struct RowPlan {
  int64_t length = 0;
  int team = 0, word = 1;  ///< see RowForm
  int64_t rounds = 0;      ///< words per item
};

/// Whether the operand of a kReduce value is walked in C order, as expressions are. Other views are
/// walked in memory order.
bool walks_in_order(const Value& value);

/// Whether the device computes a reduction row by row, and how. The order of operations depends on
/// this, whatever else is fused. Requires that the last axis is the only reduced axis.
bool plan_row(const Device& device, const Reduce& reduce, RowPlan& plan);

/// The plan of a row kernel. Some nodes are reductions, some have one value per row.
struct RowCluster {
  RowCluster() noexcept {}  // leaves the tables uninitialised
  RowForm form;
  RowPlan plan;
  int64_t rows = 1;
  Dims outer;  ///< collapsed extents outside a row; may be empty
  Dims outer_strides[kMaxLeaves];
  int64_t lane_strides[kMaxLeaves];
  Binding binding;

  Value& output(int i) const noexcept { return *binding.nodes[form.nodes.outputs[i]]; }
};

/// Plans the row kernel that computes `root`, and those `companions` with one value per row that
/// read the same buffers: pending values that storages name. Returns false where that is
/// impossible, or where the planner has needs. Throws the error of a failed input.
bool plan_rows(RowCluster& rows, Planner& planner, Value& root,
               std::span<const ValueRef> companions = {});

/// Marks the leaves whose rows are aligned to words. The leaves have memory.
void find_words(RowCluster& rows) noexcept;

/// Bytes that the kernel reads and writes; each buffer counts once.
int64_t bytes_moved(const RowCluster& rows) noexcept;

}  // namespace hither::array
