#include "counting/counter.h"

#include <array>
#include <atomic>

#include <hither/counters.h>

namespace hither {
namespace {

// Each has its own cache line, so that threads that launch and threads that allocate share none.
struct alignas(64) Cell {
  std::atomic<int64_t> value{0};
};
std::array<Cell, counting::kCounterCount> cells;

int64_t read(counting::Counter counter) noexcept {
  return cells[static_cast<size_t>(counter)].value.load(std::memory_order_relaxed);
}

}  // namespace

void counting::count(Counter counter, int64_t n) noexcept {
  cells[static_cast<size_t>(counter)].value.fetch_add(n, std::memory_order_relaxed);
}

void counting::count_roughly(Counter counter) noexcept {
  std::atomic<int64_t>& value = cells[static_cast<size_t>(counter)].value;
  value.store(value.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

Counters counters() noexcept {
  using counting::Counter;
  return {.launches = read(Counter::kLaunches),
          .compiles = read(Counter::kCompiles),
          .cache_hits = read(Counter::kCacheHits),
          .bytes_to_device = read(Counter::kBytesToDevice),
          .bytes_to_host = read(Counter::kBytesToHost),
          .live_allocations = read(Counter::kLiveAllocations),
          .offloaded_regions = read(Counter::kOffloadedRegions) + read(Counter::kSmallRegions)};
}

}  // namespace hither
