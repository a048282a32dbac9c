// The process-wide counters behind hither::counters().
#pragma once

#include <cstdint>

#include <hither/export.h>

namespace hither::counting {

enum class Counter : uint8_t {
  kLaunches,
  kCompiles,
  kCacheHits,
  kBytesToDevice,
  kBytesToHost,
  kLiveAllocations,
  kOffloadedRegions,
  kSmallRegions,  ///< a part of Counters::offloaded_regions
};
inline constexpr int kCounterCount = 8;

/// One relaxed atomic addition; `n` may be negative.
HITHER_EXPORT void count(Counter counter, int64_t n = 1) noexcept;
/// Adds one by a load and a store, a tenth of the time. Of simultaneous calls some may be lost.
HITHER_EXPORT void count_roughly(Counter counter) noexcept;

}  // namespace hither::counting
