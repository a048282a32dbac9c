// A call of an offloaded function: where its regions run, and what went wrong in them.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

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
  /// device instead, if it reaches their arrays.
  explicit OffloadCall(const Queue& queue, int64_t keep_below = 0) noexcept;
  OffloadCall(const OffloadCall&) = delete;
  OffloadCall& operator=(const OffloadCall&) = delete;
  ~OffloadCall();

  /// The queue of the calling thread's innermost call; the CPU's without one.
  static const Queue& current_queue() noexcept;
  /// Brings what regions of the calling thread's innermost call wrote to the host, which is about
  /// to look at it: an exception was caught. Blocks.
  static void flush_arrays() noexcept;
  /// What the last failed region failed with, once.
  std::optional<Error> take_error() noexcept;

 private:
  friend int32_t launch_region(std::atomic<Region*>*, int64_t, const int64_t*, uint64_t*,
                               int32_t) noexcept;
  void launch(Region& region, const int64_t* extents, uint64_t* slots, bool keep);

  const Queue& queue_;
  const int64_t keep_below_;
  OffloadCall* const outer_;
  std::optional<Error> error_;
  ResidentArrays arrays_;
};

/// What compiled host code calls: launches region `id` over `extents`, as Region::launch() says.
/// `handle` belongs to the place of the call and is null the first time. A thread that is in no
/// OffloadCall, one of Numba's own, uses the CPU device. With `keep`, the host touches no array
/// before it launches the next region: what this one wrote may stay on the device. Returns 0, or 1
/// when the region failed; then the call's error says why.
HITHER_EXPORT int32_t launch_region(std::atomic<Region*>* handle, int64_t id,
                                    const int64_t* extents, uint64_t* slots, int32_t keep) noexcept;

}  // namespace hither::launch
