// Where each folder adds to the process-wide totals.
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

/// One relaxed atomic addition; negative `n` takes away.
HITHER_EXPORT void count(Counter counter, int64_t n = 1) noexcept;

}  // namespace hither::counting
