// What the code of a kernel over rows depends on.
#pragma once

#include "array/form/kernel_form.h"

namespace hither::array {

/// How a leaf is read along a row.
enum class RowAccess : uint8_t {
  kRepeat,   ///< one element a row
  kUnit,     ///< neighbours
  kWords,    ///< neighbours, a word at a time: the row starts at a multiple of a word
  kStrided,  ///< a distance that is an argument
};

/// Nodes with one value an element of a row, and nodes with one value a row: reductions over rows
/// (kReduce) and what is made of them.
struct RowForm {
  RowForm() noexcept {}  // does not clear the tables
  KernelForm nodes;      ///< of whose leaves no access is used
  /// GPUs: so many items of a group share a row, each taking words of `word` neighbouring elements;
  /// 0 where an item has a row for itself.
  int team = 0, word = 1;
  /// Teams: words of an item that stay in registers, whether these are all of them, and how many of
  /// the others are read at a time. The order of operations does not depend on them.
  int kept = 1;
  bool all_kept = false;
  int together = 1;
  int outer_rank = 0;  ///< dimensions of the rows
  bool per_row[kMaxNodes];
  RowAccess access[kMaxLeaves];

  void append_key(KeyText& key) const;
};

/// Items of a group whose rows have teams of so many: several rows when they are short.
int items_of_group(int team) noexcept;
/// Bytes of which the address of a word of elements `t` is a multiple; at most 16.
uint64_t bytes_of_word(int word, DType t) noexcept;
/// Elements of the rows that an item has for itself, at most.
inline constexpr int64_t kLongestOfItem = 16384;
/// Items of a sub-group on devices whose rows have teams.
inline constexpr int kSubGroup = 32;

}  // namespace hither::array
