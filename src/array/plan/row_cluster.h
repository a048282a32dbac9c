// Which nodes a kernel computes row by row: reductions over the last axis, what they reduce, and
// what is made of them.
#pragma once

#include "array/form/row_form.h"
#include "array/plan/cluster.h"

namespace hither::array {

/// Rows of a reduction that one kernel can hold: the elements of one, and how items share it.
struct RowPlan {
  int64_t length = 0;
  int team = 0, word = 1;  ///< see RowForm
  int64_t rounds = 0;      ///< words of an item
};

/// Whether the operand of a kReduce value is walked in C order, as expressions are; other views are
/// walked in the order of their memory.
bool walks_in_order(const Value& value);

/// Whether a reduction goes row by row on the device, and how: its order of operations, whatever is
/// fused with it, depends on that. One reduced axis, the last one.
bool plan_row(const Device& device, const Reduce& reduce, RowPlan& plan);

/// A kernel over rows to be. Some nodes are reductions, some have one value a row.
struct RowCluster {
  RowCluster() noexcept {}  // does not clear the tables
  RowForm form;
  RowPlan plan;
  int64_t rows = 1;
  Dims outer;  ///< extents outside of a row, collapsed; may be empty
  Dims outer_strides[kMaxLeaves];
  int64_t lane_strides[kMaxLeaves];
  Binding binding;

  Value& output(int i) const noexcept { return *binding.nodes[form.nodes.outputs[i]]; }
};

/// Plans the rows that `root` is computed by. False where there are none, or where the planner's
/// needs come first. Throws the error of a failed input.
bool plan_rows(RowCluster& rows, Planner& planner, Value& root);

/// Marks the leaves whose rows start where words may: they have memory now.
void find_words(RowCluster& rows) noexcept;

/// Bytes that one run reads and writes, each buffer counted once.
int64_t bytes_moved(const RowCluster& rows) noexcept;

}  // namespace hither::array
