// A call of an offloaded function: where its regions run, and what went wrong in them.
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

/// While it lives, regions that the calling thread launches run on `queue`. Calls nest.
class HITHER_EXPORT OffloadCall {
 public:
  /// `queue` must outlive the call. Regions of fewer than `keep_below` iterations run on the CPU
  /// device instead, if it reaches their arrays. `makes_usm`: small arrays that the function makes
  /// lie in USM too.
  explicit OffloadCall(const Queue& queue, int64_t keep_below = 0, bool makes_usm = false) noexcept;
  OffloadCall(const OffloadCall&) = delete;
  OffloadCall& operator=(const OffloadCall&) = delete;
  ~OffloadCall();

  /// The queue of the calling thread's innermost call; the CPU's without one.
  static const Queue& current_queue() noexcept;
  /// Whether all memory that the calling thread's innermost call makes is USM.
  static bool makes_usm() noexcept;
  /// Brings what regions of the calling thread's innermost call wrote to the host, which is about
  /// to look at it: an exception was caught. Blocks.
  static void flush_arrays() noexcept;
  /// Regions that ran in order, on the host, because their iterations might have met; once.
  std::vector<int64_t> take_in_order() noexcept { return std::exchange(in_order_, {}); }
  /// What the last failed region failed with, once.
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

/// How a region is launched: bits.
enum LaunchMode : int32_t {
  kKeep = 1,     ///< the host touches no array before the next launch
  kInOrder = 2,  ///< on the host, if it reaches the arrays: one work-item runs everything
};

/// What compiled host code calls: launches region `id` over `extents`, as Region::launch() says.
/// `handle` belongs to the place of the call and is null the first time. A thread that is in no
/// OffloadCall, one of Numba's own, uses the CPU device. `mode` is of LaunchMode. Returns 0, or 1
/// when the region failed; then the call's error says why.
HITHER_EXPORT int32_t launch_region(std::atomic<Region*>* handle, int64_t id,
                                    const int64_t* extents, uint64_t* slots, int32_t mode) noexcept;

}  // namespace hither::launch
