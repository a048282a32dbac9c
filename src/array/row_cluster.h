// Which nodes a kernel computes row by row: reductions over the last axis, what they reduce, and
// what is made of them.
#pragma once

#include <string>

#include "array/cluster.h"
#include "array/combine.h"

namespace hither::array {

/// Of devices whose rows have teams.
inline constexpr int kSubGroup = 32;
/// Elements of the rows that an item has for itself.
inline constexpr int64_t kLongestOfItem = 16384;

/// Rows of a reduction that one kernel can hold: the elements of one, and how items share it.
struct RowPlan {
  int64_t length = 0;
  /// GPUs: so many items of a group share a row, each taking `rounds` words of `word` neighbouring
  /// elements; 0 where an item has a row for itself.
  int team = 0, word = 1;
  int64_t rounds = 0;
};

/// Whether a reduction of this shape goes row by row on the device, and how: its order of
/// operations, wherever it runs, depends on that. One reduced axis, the last one.
bool plan_row(const Device& device, const Dims& shape, const std::vector<bool>& reduced,
              const Combiner& combiner, RowPlan& plan);

/// A cluster over rows. Some nodes are reductions (kRecipe), some have one value a row.
struct RowCluster {
  Cluster nodes;  ///< its leaves' accesses and strides are unused
  RowPlan plan;
  int64_t rows = 1;
  /// Teams: rounds that stay in registers, and how many of the others are read at a time. The
  /// order of operations does not depend on them.
  int kept = 1, together = 1;
  /// Leaves that are read a word at a time; teams only, see find_words().
  bool in_words[kMaxLeaves] = {};
  bool per_row[kMaxNodes] = {};
  bool leaf_per_row[kMaxLeaves] = {};
  Dims outer;  ///< extents outside of a row, collapsed; may be empty
  Dims outer_strides[kMaxLeaves];
  int64_t lane_strides[kMaxLeaves] = {};
};

/// The reduction that a node of a row cluster is.
const Combiner& reduction_of(const Value& node);

/// Collects the rows that `root` is computed by, submitting first what cannot be computed with
/// them. False, with nothing changed that the caller could see, when there are none to be had.
/// With `submits` false nothing is submitted: false where something would have to be. Under the
/// graph lock; throws the error of a failed input, or WaitFirst.
bool collect_rows(RowCluster& rows, Value& root, bool submits = true);

/// Bytes of which the address of a word is a multiple; at most 16.
uint64_t bytes_of_word(const RowPlan& plan, DType t) noexcept;
/// Marks the leaves whose words are where such addresses are. Leaves have memory.
void find_words(RowCluster& rows) noexcept;

/// What the rows do, from the first operation to the last.
std::string name_of(const RowCluster& rows);
/// Bytes that one run reads and writes, each buffer counted once.
int64_t bytes_moved(const RowCluster& rows) noexcept;

}  // namespace hither::array
