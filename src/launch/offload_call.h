// A call of an offloaded function: the queue of its regions, and their errors.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <hither/error.h>
#include <hither/export.h>
#include <hither/queue.h>

#include "launch/offload_region.h"
#include "launch/resident_arrays.h"

namespace hither::launch {

/// During its lifetime, regions that the calling thread launches run on `queue`. Calls nest.
class HITHER_EXPORT OffloadCall {
 public:
  /// `queue` must outlive the call. Regions of fewer than `keep_below` iterations run on the CPU
  /// device if it can access their arrays. With `makes_usm`, small arrays that the function creates
  /// are in USM too.
  explicit OffloadCall(const Queue& queue, int64_t keep_below = 0, bool makes_usm = false) noexcept;
  OffloadCall(const OffloadCall&) = delete;
  OffloadCall& operator=(const OffloadCall&) = delete;
  ~OffloadCall();

  /// The queue of the calling thread's innermost call, or the CPU's queue outside a call.
  static const Queue& current_queue() noexcept;
  /// Whether all memory that the calling thread's innermost call allocates is USM.
  static bool makes_usm() noexcept;
  /// Copies to the host what regions of the calling thread's innermost call wrote, because the host
  /// is about to read it after catching an exception. Blocks.
  static void flush_arrays() noexcept;
  /// Takes the regions that ran in order on the host, because their iterations might have accessed
  /// the same elements.
  std::vector<int64_t> take_in_order() noexcept { return std::exchange(in_order_, {}); }
  /// Takes the error of the last failed region.
  std::optional<Error> take_error() noexcept;

 private:
  friend int32_t launch_region(std::atomic<Region*>*, int64_t, const int64_t*, uint64_t*,
                               int32_t) noexcept;
  void launch(Region& region, const int64_t* extents, uint64_t* slots, int32_t mode, int64_t id);

  const Queue& queue_;
  const int64_t keep_below_;
  const bool makes_usm_;
  OffloadCall* const outer_;
  std::optional<Error> error_;
  std::vector<int64_t> in_order_;
  ResidentArrays arrays_;
};

/// Bits that say how a region is launched.
enum LaunchMode : int32_t {
  kKeep = 1,  ///< the host accesses no array before the next launch
  kInOrder =
      2,  ///< in order on the host, if it can access the arrays: one work-item runs all iterations
};

/// Called by compiled host code: launches region `id` over `extents` as Region::launch() does.
/// `handle` belongs to the call site and is null at first. A thread without an OffloadCall, such as
/// one of Numba's own, uses the CPU device. `mode` is a set of LaunchMode bits. Returns 0, or 1
/// when the region failed; the call then has the error.
HITHER_EXPORT int32_t launch_region(std::atomic<Region*>* handle, int64_t id,
                                    const int64_t* extents, uint64_t* slots, int32_t mode) noexcept;

/// Counts a region that the calling function runs itself, as counters() do those it launches.
HITHER_EXPORT void count_small_region() noexcept;

}  // namespace hither::launch
