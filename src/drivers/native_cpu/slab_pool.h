// Allocations up to 2 MiB: size classes, each carved from slabs in huge pages.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include "runtime/spin_lock.h"

namespace hither::drivers::native_cpu {

/// What the pools say of a live allocation. `tag` is the owner's, at most 16 bits.
struct Found {
  void* data;
  size_t bytes;
  uint16_t tag;
};

/// Classes are four to a doubling, so at most a fifth is wasted. A freed block is the next one
/// given out again: it is still in the cache. Blocks are aligned to 64 bytes. Thread-safe: one
/// short lock a class, held for a few nanoseconds.
class SlabPool {
 public:
  static constexpr size_t kMostBytes = size_t{2} << 20;

  SlabPool() = default;
  ~SlabPool();
  SlabPool(const SlabPool&) = delete;

  /// bytes <= kMostBytes. Null when the system gives no memory.
  void* allocate(size_t bytes, uint16_t tag) noexcept;
  /// True when the block's slab is now wholly unused and not the only one of its class, which is
  /// kept.
  bool release(void* data, size_t bytes) noexcept;
  std::optional<Found> find(const void* pointer) const;
  /// Returns slabs without live blocks to the system.
  void trim() noexcept;

  struct Use {
    size_t live_bytes = 0, live_blocks = 0, held_bytes = 0;
  };
  Use use() const noexcept;

 private:
  struct Slab;
  struct FreeBlock {
    FreeBlock* next;
  };
  struct alignas(64) Class {
    mutable runtime::SpinLock lock;
    FreeBlock* free = nullptr;
    Slab* fresh = nullptr;  ///< has blocks that were never given out
    Slab* slabs = nullptr;
    // Written under the lock, read without it.
    std::atomic<size_t> live_bytes{0}, live_blocks{0}, carved_bytes{0};
  };

  static constexpr int kClasses = 56;
  static int class_of(size_t bytes) noexcept;
  static size_t block_bytes_of(int size_class) noexcept;
  static size_t slab_bytes_of(int size_class) noexcept;
  static Slab* slab_of(const void* data, int size_class) noexcept;

  /// A block of `c` under its lock, or null when it needs a slab.
  static char* take(Class& c) noexcept;
  Slab* make_slab(int size_class) noexcept;
  void trim_class(int size_class) noexcept;

  std::array<Class, kClasses> classes_;
  mutable std::shared_mutex slabs_mutex_;
  std::unordered_map<uintptr_t, int> slabs_;  ///< address of each slab -> its class
};

}  // namespace hither::drivers::native_cpu
