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
};
inline constexpr int kCounterCount = 7;

/// One relaxed atomic addition; `n` may be negative.
HITHER_EXPORT void count(Counter counter, int64_t n = 1) noexcept;

}  // namespace hither::counting
