// The extent of a stage's kernel.
#include "array/emit_reduce.h"

namespace hither::array {

Range ReduceKernel::range() const noexcept {
  const int64_t outer = stage.outer.product();
  switch (stage.form) {
    case ReduceForm::kRows:
      return Range(outer, stage.chunks, 1);
    case ReduceForm::kColumns:
      return Range(outer * stage.chunks, stage.blocks, 1);
    default:
      break;
  }
  if (stage.outer.size() == 2) return Range(stage.outer[0], stage.outer[1]);
  if (stage.outer.size() == 3) return Range(stage.outer[0], stage.outer[1], stage.outer[2]);
  return Range(outer);
}

int64_t ReduceKernel::bytes_read() const noexcept {
  int64_t bytes = 0;
  for (int i = 0; i < cluster.leaf_count; ++i) {
    int64_t n = stage.lane_strides[i] == 0 ? 1 : stage.lanes;
    for (int d = 0; d < stage.outer.size(); ++d)
      if (stage.outer_strides[i][d] != 0) n *= stage.outer[d];
    for (int d = 0; d < stage.rows.size(); ++d)
      if (stage.row_strides[i][d] != 0) n *= stage.rows[d];
    bytes += n * size_of(cluster.leaves[i].dtype);
  }
  return bytes;
}

}  // namespace hither::array
