// Process-wide totals, for tests and users.
#pragma once

#include <cstdint>

#include <hither/export.h>

namespace hither {

/// Totals since the process started, except live_allocations, which is a current number. Each is
/// exact, except as said, but they are not read at one instant.
struct Counters {
  int64_t launches = 0;           ///< kernels submitted
  int64_t compiles = 0;           ///< kernel modules compiled
  int64_t cache_hits = 0;         ///< kernels found compiled, in memory or on disk
  int64_t bytes_to_device = 0;    ///< copied from plain host memory into USM
  int64_t bytes_to_host = 0;      ///< copied from USM into plain host memory
  int64_t live_allocations = 0;   ///< USM allocations that have an owner
  int64_t offloaded_regions = 0;  ///< parallel regions of Numba functions; small ones in several
                                  ///< threads may be counted too few times
};

/// Never blocks.
HITHER_EXPORT Counters counters() noexcept;

}  // namespace hither
