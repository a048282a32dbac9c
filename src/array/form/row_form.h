// Everything that the code of a row kernel depends on.
#pragma once

#include <algorithm>

#include "array/form/kernel_form.h"

namespace hither::array {

/// How a leaf is addressed along a row.
enum class RowAccess : uint8_t {
  kRepeat,   ///< one element for the whole row
  kUnit,     ///< consecutive elements
  kWords,    ///< consecutive elements, read in aligned vectors of `word` elements
  kStrided,  ///< a stride that is an argument
};

/// Nodes with one value per element of a row, and nodes with one value per row: reductions over
/// rows (kReduce) and nodes computed from them.
struct RowForm {
  RowForm() noexcept {}  // leaves the tables uninitialised
  KernelForm nodes;      ///< the accesses of its leaves are not used
  /// GPUs: number of items of a group that share a row; each reads vectors ("words") of `word`
  /// consecutive elements. 0 where one item computes a whole row.
  int team = 0, word = 1;
  /// Teams: number of words that an item keeps in registers, whether these are all of its words,
  /// and how many of the others are read at a time. The order of operations does not depend on
  /// these.
  int kept = 1;
  bool all_kept = false;
  int together = 1;
  /// Teams: number of rows that a team processes side by side, so that it loads once what all rows
  /// read, and which leaves that are.
  int side_by_side = 1;
  bool shared[kMaxLeaves] = {};
  int outer_rank = 0;  ///< number of dimensions of the rows
  bool per_row[kMaxNodes];
  RowAccess access[kMaxLeaves];

  /// Each team has one row.
  void share_nothing() noexcept {
    side_by_side = 1;
    std::fill_n(shared, kMaxLeaves, false);
  }
  void append_key(KeyText& key) const;
};

/// Items per group for teams of this size. A group has several rows when teams are small.
int items_of_group(int team) noexcept;
/// Alignment in bytes, at most 16, of a word of elements of dtype `t`.
uint64_t bytes_of_word(int word, DType t) noexcept;
/// The longest row that one item computes by itself.
inline constexpr int64_t kLongestOfItem = 16384;
/// Items per sub-group on devices whose rows have teams.
inline constexpr int kSubGroup = 32;

}  // namespace hither::array
