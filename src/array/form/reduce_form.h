// What the code of one kernel of a reduction depends on.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "array/form/kernel_form.h"

namespace hither::array {

/// What moves through the axes of a reduction: every leaf, the C-order position (for iota) and the
/// output.
inline constexpr int kPositionWalk = kMaxLeaves;
inline constexpr int kOutputWalk = kMaxLeaves + 1;
inline constexpr int kWalks = kMaxLeaves + 2;

enum class ReducePattern : uint8_t {
  kShort,    ///< up to kShortExtent neighbours, unrolled; items side by side are vectorised
  kRows,     ///< lanes along the reduced axis (and `period` kept elements inside it)
  kColumns,  ///< lanes along the kept axis, accumulators in private memory
  // For GPUs, where items side by side read what lies side by side:
  kSpreadRows,  ///< item c takes every chunks_per_row-th element (of `period`) from c on
  kOneColumn,   ///< item c takes every chunks-th row of `block` kept elements from c on
  kGathered,    ///< a group takes lanes_per_chunk of rows_per_chunk rows; its items come together
};

enum class LaneAccess : uint8_t { kUnit, kRepeat, kStrided };

/// The integer arguments of a stage that come before extents and strides, in order.
enum Count {
  kRowTotal,
  kRowsPerChunk,
  kLanes,
  kLanesPerChunk,
  kChunksPerRow,
  kChunks,
  kBlock,
  kChunkStride,
  kCounts
};

/// One stage and what it reduces; the producers' outputs are stored on the way. With `pairs`,
/// leaf 0 holds values and leaf 1 their indices: partial results of argmin or argmax.
struct ReduceForm {
  const KernelForm& producers;
  Slot root;
  Accumulation accumulation;
  DType stored;  ///< dtype of the output; the accumulator's unless this is the last stage
  bool stores_value, pairs;
  ReducePattern pattern;
  int width;             ///< lanes of a vector
  int64_t period;        ///< kRows: kept elements inside the reduced axis
  int64_t short_extent;  ///< kShort: elements that are reduced, unrolled; else 0
  int64_t block;         ///< kColumns, kOneColumn: kept elements of one item
  int64_t items;         ///< kGathered: of a group
  int outer_rank, row_rank;
  bool in_line;  ///< kShort: the range has one dimension
  LaneAccess access[kWalks];
  /// kShort: a small distance between neighbouring items is a constant, so that whole vectors are
  /// read and sifted, and stored; -1 when it is an argument.
  int64_t item_strides[kWalks];
  /// Of the last stage: what is stored is made of its result, which is slot kLeafSlot, of dtype
  /// then->leaves[0].dtype. It is in no memory, so that then->leaf_count is 0.
  const KernelForm* then;

  bool stores_index() const noexcept { return accumulation.with_index(); }
  /// Walks in the order of the parameters: leaves, then the position, then the output.
  llvm::SmallVector<int, kWalks> walks() const;
  void append_key(KeyText& key) const;
};

/// Whether a node of the form asks for its position (iota), or is stored there.
bool uses_position(const KernelForm& form) noexcept;

}  // namespace hither::array
