// Division of a reduction into kernels.
#pragma once

#include <hither/dims.h>
#include <hither/dtype.h>

#include "array/form/reduce_form.h"

namespace hither::array {

struct ReduceAxis {
  int64_t extent = 1;
  bool reduced = false;
  int64_t strides[kWalks];  ///< of the walks that take part; the others are not initialised
};

using ReduceAxes = llvm::SmallVector<ReduceAxis, 4>;

inline constexpr int kShortExtent = 16;  // in hither._sharded.reductions too
/// Items of a kGathered group, and of one whose group reduces a whole result alone; the largest
/// numbers for kGatheredColumns. Items of a group load this many elements before they wait.
inline constexpr int64_t kGatheringItems = 256, kGatheringAlone = 1024, kGatheringTogether = 8;

/// One kernel: reduces the innermost run of reduced axes. An item processes `rows` x `lanes`, or
/// its chunk of them. Strides are in elements.
struct ReduceStage {
  ReduceStage() noexcept {}  // does not initialise the tables, of which little is used
  ReducePattern pattern = ReducePattern::kRows;
  int width = 1;       ///< lanes of a vector
  int64_t period = 1;  ///< kRows: kept elements inside the reduced axis
  Dims outer, rows;    ///< extents, collapsed
  int64_t row_total = 1;
  int64_t lanes = 1;  ///< extent of the innermost axis (kRows: times the period)
  int64_t rows_per_chunk = 1, lanes_per_chunk = 1, chunks_per_row = 1, chunks = 1;
  /// kColumns, kOneColumn: kept elements of one item. kGatheredColumns: of a group.
  int64_t block = 1, blocks = 1;
  int64_t items = kGatheringItems;  ///< kGathered, kGatheredColumns: items of a group
  int64_t chunk_stride = 1;         ///< stride of the output
  Dims outer_strides[kWalks], row_strides[kWalks];
  int64_t lane_strides[kWalks];
  int64_t output_size = 1;
  bool last = false;  ///< no axis is left to reduce afterwards
  /// kShort, kOneColumn: items exceed the limit of a range's outer dimensions.
  bool in_line = false;
  ReduceAxes after;  ///< axes of the dense output, which leaf 0 of the next stage walks
};

/// Plans the next kernel. Its order of operations depends only on the axes' extents and
/// `accumulation`, never on strides. `most_items` is the largest group size of a GPU, or 0 for
/// other devices. `used[w]` tells whether walk w takes part. At most one axis may have extent 1,
/// and at least one is reduced. Returns false when the axes of some walk do not collapse as the
/// plan requires; the operand then has to be stored first.
bool plan_stage(const ReduceAxes& axes, const bool (&used)[kWalks],
                const Accumulation& accumulation, int64_t most_items, ReduceStage& stage);

/// The form of a stage of `producers`; `then` as in ReduceForm.
ReduceForm form_of(const ReduceStage& stage, const KernelForm& producers, Slot root,
                   const Accumulation& accumulation, DType stored, bool pairs,
                   const KernelForm* then);

}  // namespace hither::array
