// Host arrays of an offloaded function on a device that cannot access host memory.
#pragma once

#include <span>
#include <vector>

#include <hither/memory.h>
#include <hither/queue.h>

#include "launch/offload_region.h"

namespace hither::launch {

/// Copies of host arrays in USM, kept for as long as the host does not access the arrays, so that a
/// region can read the results of an earlier one. Overlapping arrays share one copy. Only the
/// elements that regions wrote are copied back, because other threads may write to bytes between
/// them. Not thread-safe: belongs to one call of a function.
class ResidentArrays {
 public:
  /// Makes the arrays of a region available on `queue` and replaces their addresses in `slots`. USM
  /// that the queue's context knows is used in place. Blocks. Returns whether all arrays that the
  /// region writes outlive the call, so that they may be copied back later.
  bool stage(Region& region, const Queue& queue, uint64_t* slots);
  /// Copies back the elements that regions wrote, and drops all copies. Blocks.
  void flush(const Queue& queue);

 private:
  /// An array that a region wrote to.
  struct Written {
    char* data;                             ///< host address of its first element
    std::vector<int64_t> extents, strides;  ///< strides in bytes
    int64_t item_bytes;
    ArraySpan span;
    Region* writer;
    bool operator==(const Written& other) const noexcept {
      return data == other.data && extents == other.extents && strides == other.strides &&
             item_bytes == other.item_bytes;
    }
    /// Whether all bytes between the first and the last belong to the array.
    bool is_dense() const noexcept;
  };
  struct Resident {
    char* low;  ///< first byte on the host
    size_t bytes;
    Memory memory;
    std::vector<Written> written = {};  ///< not copied to the host yet

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
