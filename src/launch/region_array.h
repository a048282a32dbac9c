// Array arguments of parallel regions.
#pragma once

#include <cstdint>
#include <vector>

namespace hither::launch {

/// An array argument of a region: its address is in one slot, its extents, and strides in bytes
/// unless its layout is 'C', in those that follow.
struct RegionArray {
  uint32_t slot;
  int32_t ndim;
  char layout;  ///< 'C', 'F' or 'A', as Numba has it
  bool written;
  bool outlives;  ///< the function's caller holds its memory
  int64_t item_bytes;
};

/// The bytes from an array's first to its last; none when it is empty.
struct ArraySpan {
  char* low;
  char* high;
  bool overlaps(const ArraySpan& other) const noexcept {
    return low < other.high && other.low < high;
  }
};

ArraySpan span_of(const RegionArray& array, const uint64_t* slots) noexcept;
/// In bytes.
std::vector<int64_t> strides_of(const RegionArray& array, const uint64_t* slots);

}  // namespace hither::launch
