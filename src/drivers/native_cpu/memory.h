// The USM pool of a context.
#pragma once

#include <mutex>
#include <vector>

#include <hither/memory.h>

#include "drivers/native_cpu/large_pool.h"
#include "drivers/native_cpu/slab_pool.h"

namespace hither::drivers::native_cpu {

/// All three USM types are plain memory here, told apart by their tags. Idle memory is bounded by
/// HITHER_POOL_LIMIT bytes (a quarter of the machine's memory) a context. Thread-safe.
class Pool {
 public:
  /// Throws Error kValue where that variable is no number.
  Pool();
  ~Pool();

  /// Null when the memory is exhausted, all pools of the process having been trimmed.
  void* allocate(size_t bytes, size_t alignment, uint16_t tag);
  void release(void* data, size_t bytes, size_t alignment) noexcept;
  std::optional<Found> find(const void* pointer) const;
  void trim() noexcept;
  PoolUse use() const;

 private:
  static bool is_small(size_t bytes, size_t alignment) noexcept {
    return bytes <= SlabPool::kMostBytes && alignment <= 64;
  }
  void* try_allocate(size_t bytes, size_t alignment, uint16_t tag) noexcept;
  void keep_bound() noexcept;
  static void trim_all() noexcept;

  const size_t idle_limit_;
  SlabPool small_;
  LargePool large_;

  static std::mutex& all_mutex();
  static std::vector<Pool*>& all();
};

}  // namespace hither::drivers::native_cpu
