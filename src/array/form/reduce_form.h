// Everything that the code of one kernel of a reduction depends on.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "array/form/kernel_form.h"

namespace hither::array {

/// Index of the walk of the C-order position (for iota). A walk is anything that is addressed along
/// the axes of a reduction: every leaf, the position and the output.
inline constexpr int kPositionWalk = kMaxLeaves;
inline constexpr int kOutputWalk = kMaxLeaves + 1;
inline constexpr int kWalks = kMaxLeaves + 2;

enum class ReducePattern : uint8_t {
  kShort,    ///< up to kShortExtent neighbours, unrolled; consecutive items are vectorised
  kRows,     ///< lanes along the reduced axis (and `period` kept elements inside it)
  kColumns,  ///< lanes along the kept axis, accumulators in private memory
  // For GPUs, where consecutive items read consecutive memory:
  kSpreadRows,       ///< item c reads elements c, c + chunks_per_row, ...
  kOneColumn,        ///< item c reads rows c, c + chunks, ... of `block` kept elements
  kGathered,         ///< a group reduces lanes_per_chunk elements of each of rows_per_chunk rows
  kGatheredColumns,  ///< a group reduces rows_per_chunk rows of `block` kept elements; item i reads
                     ///< element i % block of rows i / block, i / block + items / block, ...
};

enum class LaneAccess : uint8_t { kUnit, kRepeat, kStrided };

/// The integer arguments of a stage that precede extents and strides, in order.
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

/// One stage and its producers, whose outputs are stored by the same kernel. With `pairs`, leaf 0
/// holds values and leaf 1 their indices: partial results of argmin or argmax.
struct ReduceForm {
  const KernelForm& producers;
  Slot root;
  Accumulation accumulation;
  DType stored;  ///< dtype of the output: the accumulator's, except in the last stage
  bool stores_value, pairs;
  ReducePattern pattern;
  int width;             ///< lanes of a vector
  int64_t period;        ///< kRows: kept elements inside the reduced axis
  int64_t short_extent;  ///< kShort: extent of the unrolled reduction; else 0
  int64_t block;         ///< as in ReduceStage
  int64_t items;         ///< kGathered, kGatheredColumns: items of a group
  int outer_rank, row_rank;
  bool in_line;  ///< kShort, kOneColumn: the range has one dimension
  LaneAccess access[kWalks];
  /// kShort: a small stride between consecutive items is a constant, so that whole vectors are
  /// loaded, shuffled and stored. -1 when the stride is an argument.
  int8_t item_strides[kWalks];
  /// kShort: repeated_dimensions() of the outer strides, so that items load once what they share.
  uint8_t repeats[kWalks];
  /// Last stage: the epilogue that is applied to the result before it is stored, or null. The
  /// result is slot kLeafSlot, of dtype then->leaves[0].dtype. It is not in memory, so
  /// then->leaf_count is 0.
  const KernelForm* then;

  bool stores_index() const noexcept { return accumulation.with_index(); }
  bool in_groups() const noexcept {
    return pattern == ReducePattern::kGathered || pattern == ReducePattern::kGatheredColumns;
  }
  /// Walks in the order of the parameters: leaves, then the position, then the output.
  llvm::SmallVector<int, kWalks> walks() const;
  void append_key(KeyText& key) const;
};

/// Whether a node of the form depends on its position (iota), or is stored.
bool uses_position(const KernelForm& form) noexcept;

}  // namespace hither::array
