// The extent of a stage's kernel.
#include "array/emit_reduce.h"

#include "array/reduce_walks.h"

namespace hither::array {

NdRange ReduceKernel::range() const noexcept {
  const int64_t outer = stage.outer.product();
  if (stage.form == ReduceForm::kGathered)
    return {Range(outer * stage.chunks * stage.items), Range(stage.items)};
  switch (stage.form) {
    case ReduceForm::kRows:
    case ReduceForm::kSpreadRows:
      return Range(outer, stage.chunks, 1);
    case ReduceForm::kColumns:
    case ReduceForm::kOneColumn:
      return Range(outer * stage.chunks, stage.blocks, 1);
    default:
      break;
  }
  if (stage.in_line) return Range(outer);
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

void ReduceKernel::append_key(KeyText& key) const {
  auto put = [&](auto v) { key.push_back(static_cast<char>(v)); };
  put(stage.form);
  put(stage.width);
  put(stage.form == ReduceForm::kOneColumn ? stage.block : 0);
  put(stage.items / kGatheringItems);
  put(stage.form == ReduceForm::kShort ? stage.lanes : stage.period);
  put(stage.outer.size());
  put(stage.in_line);
  put(stage.rows.size());
  put(combiner.dtype());
  put(stored);
  put(stores_value());
  put(pairs);
  put(root);
  put(then ? 1 + static_cast<int>(then->leaves[0].dtype) : 0);
  for (int w : walks_of(cluster)) {
    put(lane_access(stage, w));
    put(item_stride(stage, w));
  }
  if (then) then->append_key(key);
  cluster.append_key(key);
}

void ReduceKernel::pack(KernelCall& call) const {
  for (int i = 0; i < cluster.output_count; ++i)
    call.writes(cluster.nodes[cluster.outputs[i]]->memory);
  call.producers(cluster);
  if (then) call.producers(*then);
  const int64_t counts[kCounts] = {stage.row_total,       stage.rows_per_chunk, stage.lanes,
                                   stage.lanes_per_chunk, stage.chunks_per_row, stage.chunks,
                                   stage.block,           stage.chunk_stride};
  for (int64_t v : counts) call.integer(v);
  for (int d = 1; d < stage.outer.size(); ++d) call.integer(stage.outer[d]);
  for (int d = 1; d < stage.rows.size(); ++d) call.integer(stage.rows[d]);
  for (int w : walks_of(cluster)) {
    for (int64_t v : stage.outer_strides[w]) call.integer(v);
    for (int64_t v : stage.row_strides[w]) call.integer(v);
    if (lane_access(stage, w) == LaneAccess::kStrided) call.integer(stage.lane_strides[w]);
  }
}

}  // namespace hither::array
