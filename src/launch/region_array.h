// Array arguments of parallel regions.
#pragma once

#include <cstdint>
#include <vector>

namespace hither::launch {

/// An array argument of a region. One slot holds its address; the following slots hold its extents
/// and, unless its layout is 'C', its strides in bytes.
struct RegionArray {
  uint32_t slot;
  int32_t ndim;
  char layout;  ///< 'C', 'F' or 'A', as in Numba
  bool written;
  bool outlives;  ///< the function's caller owns its memory
  int64_t item_bytes;
};

/// The bytes from an array's first to its last; empty for an empty array.
struct ArraySpan {
  char* low;
  char* high;
  bool overlaps(const ArraySpan& other) const noexcept {
    return low < other.high && other.low < high;
  }
};

ArraySpan span_of(const RegionArray& array, const uint64_t* slots) noexcept;
/// Strides in bytes.
std::vector<int64_t> strides_of(const RegionArray& array, const uint64_t* slots);

}  // namespace hither::launch
