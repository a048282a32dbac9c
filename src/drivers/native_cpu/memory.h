// The USM pool of a context.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include <hither/memory.h>

#include "drivers/native_cpu/large_pool.h"
#include "drivers/native_cpu/slab_pool.h"

namespace hither::drivers::native_cpu {

/// All three USM types are plain memory, distinguished by tags. The idle memory of a context is at
/// most HITHER_POOL_LIMIT bytes (default: a quarter of the machine's memory). Thread-safe.
class Pool {
 public:
  /// Throws Error kValue if that variable is not a number.
  Pool();
  ~Pool();

  /// Null if memory is exhausted even after all pools of the process have been trimmed, or with
  /// `only_cached`.
  void* allocate(size_t bytes, size_t alignment, uint16_t tag, bool only_cached);
  void release(void* data, size_t bytes, size_t alignment) noexcept;
  std::optional<Found> find(const void* pointer) const;
  void trim() noexcept;
  PoolUse use() const;
  /// Between two trims the pools only grow, so the peak is recorded before trims and here.
  size_t peak_held_bytes() const noexcept;

 private:
  static bool is_small(size_t bytes, size_t alignment) noexcept {
    return bytes <= SlabPool::kMostBytes && alignment <= 64;
  }
  void* try_allocate(size_t bytes, size_t alignment, uint16_t tag, bool only_cached) noexcept;
  void keep_bound() noexcept;
  void record_peak() const noexcept;
  static void trim_all() noexcept;

  const bool is_limit_chosen_;      ///< by an environment variable
  std::atomic<size_t> idle_limit_;  ///< read again when it is exceeded, as the memory may grow
  mutable std::atomic<size_t> peak_bytes_{0};
  SlabPool small_;
  LargePool large_;

  static std::mutex& all_mutex();
  static std::vector<Pool*>& all();
};

}  // namespace hither::drivers::native_cpu
