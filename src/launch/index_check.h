// The run-time check of a loop over an index array before it runs in parallel.
#pragma once

#include <cstdint>

#include <hither/export.h>

namespace hither::launch {

/// An integer array as compiled host code passes it.
struct IndexArray {
  const char* data;  ///< on the host, or USM of the call's device
  int64_t size;
  int64_t stride;      ///< in bytes
  int32_t item_bytes;  ///< negative for signed integers
};

/// The sequence first, first + step, ... of `count` elements.
struct IndexSequence {
  int64_t first, step, count;
};

/// Whether two of the elements may be the same index into an axis of `extent`; negative indices
/// count from the end. Also true if an index is out of range. Blocks. Called by compiled host code.
HITHER_EXPORT bool indices_may_repeat(const IndexArray& indices, const IndexSequence& elements,
                                      int64_t extent) noexcept;

}  // namespace hither::launch
