// Allocations above 2 MiB, and those with unusual alignment: one mapping each, kept for reuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/native_cpu/slab_pool.h"

namespace hither::drivers::native_cpu {

/// Freed blocks are kept, and a request gets the most recently freed block that fits, because its
/// pages are mapped: faults on fresh pages cost two to six times the work that fills them.
/// Thread-safe.
class LargePool {
 public:
  LargePool() = default;
  ~LargePool();
  LargePool(const LargePool&) = delete;

  /// Null if the system has no memory, or if no freed block fits and `may_map` is false.
  void* allocate(size_t bytes, size_t alignment, uint16_t tag, bool may_map) noexcept;
  void release(void* data) noexcept;
  std::optional<Found> find(const void* pointer) const;
  /// Unmaps the blocks that were freed longest ago until at most `idle_bytes` are kept.
  void trim(size_t idle_bytes) noexcept;
  SlabPool::Use use() const noexcept;

 private:
  struct Block {
    size_t capacity = 0, bytes = 0;
    uint16_t tag = 0;
    bool live = false;
  };
  struct Idle {
    char* data;
    size_t capacity;
  };
  /// The bytes to map for a request; requests of similar size have the same capacity.
  static size_t capacity_for(size_t bytes) noexcept;
  char* take_idle(size_t capacity, size_t alignment) noexcept;

  mutable std::mutex mutex_;
  std::map<char*, Block> blocks_;
  std::vector<Idle> idle_;  ///< in the order in which they were freed
  size_t idle_bytes_ = 0, live_bytes_ = 0, live_blocks_ = 0, live_capacity_ = 0;
};

}  // namespace hither::drivers::native_cpu
