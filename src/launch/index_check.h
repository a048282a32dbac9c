// What a loop over an array of indices asks before it runs in parallel.
#pragma once

#include <cstdint>

#include <hither/export.h>

namespace hither::launch {

/// Integers as compiled host code has them.
struct IndexArray {
  const char* data;  ///< of the host or USM of the call's device
  int64_t size;
  int64_t stride;      ///< in bytes
  int32_t item_bytes;  ///< less than 0 where they have a sign
};

/// Elements first, first + step, ..., `count` of them.
struct IndexSequence {
  int64_t first, step, count;
};

/// Whether two of the elements may be the same index into an axis of `extent`, where indices below
/// 0 count from the end; also where one is outside of the axis. Blocks. Compiled host code calls
/// it.
HITHER_EXPORT bool indices_may_repeat(const IndexArray& indices, const IndexSequence& elements,
                                      int64_t extent) noexcept;

}  // namespace hither::launch
