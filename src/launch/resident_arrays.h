// Host arrays of an offloaded function on a device that cannot reach the host's memory.
#pragma once

#include <span>
#include <vector>

#include <hither/memory.h>
#include <hither/queue.h>

#include "launch/offload_region.h"

namespace hither::launch {

/// Copies of host arrays in USM, for as long as the host leaves the arrays alone: a region reads
/// what an earlier one left there. Arrays that overlap share one copy. What is copied back is what
/// regions wrote and not what lies between: other threads may write there. Not thread-safe: belongs
/// to one call of a function.
class ResidentArrays {
 public:
  /// Makes the arrays of a region available on `queue` and replaces their addresses in `slots`.
  /// USM that the queue's context knows is used where it is. Blocks. Returns whether all that the
  /// region writes to outlives the call, so that it may be copied back later.
  bool stage(Region& region, const Queue& queue, uint64_t* slots);
  /// Copies back what regions wrote, and forgets all. Blocks.
  void flush(const Queue& queue);

 private:
  /// An array that a region wrote to.
  struct Written {
    char* data;                             ///< of its first element, on the host
    std::vector<int64_t> extents, strides;  ///< strides in bytes
    int64_t item_bytes;
    ArraySpan span;
    Region* writer;
    bool operator==(const Written& other) const noexcept {
      return data == other.data && extents == other.extents && strides == other.strides &&
             item_bytes == other.item_bytes;
    }
    /// Whether no byte between the first and the last is another's.
    bool is_dense() const noexcept;
  };
  struct Resident {
    char* low;  ///< on the host
    size_t bytes;
    Memory memory;
    std::vector<Written> written = {};  ///< that the host has not got yet

    size_t lead() const noexcept { return reinterpret_cast<uintptr_t>(low) % 64; }
    char* data() const noexcept { return static_cast<char*>(memory.data()) + lead(); }
    char* high() const noexcept { return low + bytes; }
  };
  struct Area {
    char* low;
    char* high;
  };

  std::vector<Area> areas_of(const Region& region, const Queue& queue, const uint64_t* slots) const;
  void make_resident(const Area& area, Region& region, const Queue& queue);
  static void copy_back(const Resident& resident, const Queue& queue);

  std::vector<Resident> residents_;
};

}  // namespace hither::launch
