// What a stage's code and its arguments agree on.
#pragma once

#include <algorithm>

#include "array/emit_producers.h"
#include "array/emit_reduce.h"

namespace hither::array {

enum class LaneAccess : uint8_t { kUnit, kRepeat, kStrided };

inline LaneAccess lane_access(const ReduceStage& s, int walk) {
  const int64_t stride = s.lane_strides[walk];
  return stride == 1 ? LaneAccess::kUnit : stride == 0 ? LaneAccess::kRepeat : LaneAccess::kStrided;
}

/// Items of a short reduction become lanes side by side. A small distance between them is a
/// constant, so that whole vectors are read and sifted, and stored; -1 when it is an argument.
inline int64_t item_stride(const ReduceStage& s, int walk) {
  if (s.form != ReduceForm::kShort || s.outer.empty()) return -1;
  const int64_t stride = s.outer_strides[walk].back();
  return stride > 8 ? -1 : std::max<int64_t>(stride, -1);
}

/// Walks in the order of the parameters: leaves, then the position, then the output.
inline llvm::SmallVector<int, kWalks> walks_of(const Cluster& c) {
  llvm::SmallVector<int, kWalks> walks;
  for (int i = 0; i < c.leaf_count; ++i) walks.push_back(i);
  if (uses_position(c)) walks.push_back(kPositionWalk);
  walks.push_back(kOutputWalk);
  return walks;
}

/// The scalars of a stage in the order of the parameters.
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

}  // namespace hither::array
