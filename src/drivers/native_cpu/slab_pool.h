// Allocations up to 2 MiB: size classes, each carved from slabs in huge pages.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include "process/spin_lock.h"

namespace hither::drivers::native_cpu {

/// The description of a live allocation. `tag` is set by the owner.
struct Found {
  void* data;
  size_t bytes;
  uint16_t tag;
};

/// There are four classes for each power of two, so at most a fifth is wasted. A request gets the
/// most recently freed block, which is still in the cache. Blocks are aligned to 64 bytes.
/// Thread-safe: each class has a lock, which is held for a few nanoseconds.
class SlabPool {
 public:
  static constexpr size_t kMostBytes = size_t{2} << 20;

  SlabPool() = default;
  ~SlabPool();
  SlabPool(const SlabPool&) = delete;

  /// bytes <= kMostBytes. Null if the system has no memory.
  void* allocate(size_t bytes, uint16_t tag) noexcept;
  /// Returns true if the block's slab is now unused and its class has other slabs; the only slab of
  /// a class is kept.
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
    mutable process::SpinLock lock;
    FreeBlock* free = nullptr;
    Slab* fresh = nullptr;  ///< has blocks that were never allocated
    Slab* slabs = nullptr;
    // Written under the lock, read without it.
    std::atomic<size_t> live_bytes{0}, live_blocks{0}, carved_bytes{0};
  };

  static constexpr int kClasses = 56;
  static int class_of(size_t bytes) noexcept;
  static size_t block_bytes_of(int size_class) noexcept;
  static size_t slab_bytes_of(int size_class) noexcept;
  static Slab* slab_of(const void* data, int size_class) noexcept;

  /// Takes a block of `c`, whose lock is held; null if the class needs a new slab.
  static char* take(Class& c) noexcept;
  Slab* make_slab(int size_class) noexcept;
  void trim_class(int size_class) noexcept;

  std::array<Class, kClasses> classes_;
  mutable std::shared_mutex slabs_mutex_;
  std::unordered_map<uintptr_t, int> slabs_;  ///< address of each slab -> its class
};

}  // namespace hither::drivers::native_cpu
