// How a reduction is cut into kernels.
#pragma once

#include <hither/dims.h>
#include <hither/dtype.h>

#include "array/form/reduce_form.h"

namespace hither::array {

struct ReduceAxis {
  int64_t extent = 1;
  bool reduced = false;
  int64_t strides[kWalks] = {};
};

using ReduceAxes = llvm::SmallVector<ReduceAxis, 4>;

inline constexpr int kShortExtent = 16;
/// Items of a group of kGathered, and of one that has all there is for itself.
inline constexpr int64_t kGatheringItems = 256, kGatheringAlone = 1024;

/// One kernel: reduces the last group of reduced axes. An item walks `rows` x `lanes`, or the part
/// of it that its chunk is. Strides are in elements.
struct ReduceStage {
  ReduceStage() noexcept {}  // leaves the unused rest of each Dims alone: there are many
  ReducePattern pattern = ReducePattern::kRows;
  int width = 1;       ///< lanes of a vector
  int64_t period = 1;  ///< kRows: kept elements inside the reduced axis
  Dims outer, rows;    ///< extents, collapsed
  int64_t row_total = 1;
  int64_t lanes = 1;  ///< extent of the innermost axis (kRows: with the period)
  int64_t rows_per_chunk = 1, lanes_per_chunk = 1, chunks_per_row = 1, chunks = 1;
  int64_t block = 1, blocks = 1;    ///< kColumns, kOneColumn: kept elements of one item
  int64_t items = kGatheringItems;  ///< of a group of kGathered
  int64_t chunk_stride = 1;         ///< of the output
  Dims outer_strides[kWalks], row_strides[kWalks];
  int64_t lane_strides[kWalks] = {};
  int64_t output_size = 1;
  bool last = false;     ///< nothing is left to reduce after it
  bool in_line = false;  ///< kShort: too many for a dimension of a range but the last
  ReduceAxes after;      ///< axes of the output, dense, leaf 0 walking it
};

/// Plans the next kernel. What it decides about the order of operations depends on the axes'
/// extents and `accumulator` alone, never on strides. `most_items`: those that a GPU's group may
/// have; 0 for other devices. `used[w]`: walk w takes part. False when the
/// axes of some walk do not collapse as the plan needs: the operand has to be stored first. Axes
/// have extent > 1 except for at most one; one at least is reduced.
bool plan_stage(const ReduceAxes& axes, const bool (&used)[kWalks], DType accumulator,
                bool with_index, int64_t most_items, ReduceStage& stage);

/// The form of a stage of `producers`; what `then` says of the last stage is ReduceForm's.
ReduceForm form_of(const ReduceStage& stage, const KernelForm& producers, Slot root,
                   const Accumulation& accumulation, DType stored, bool pairs,
                   const KernelForm* then);

}  // namespace hither::array
