// The USM of a context.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "drivers/cuda/device.h"
#include "drivers/cuda/device_heap.h"
#include "runtime/driver.h"

namespace hither::drivers::cuda {

/// Allocations by size class, kept for reuse up to a part of the device's memory. What is released
/// while tasks still use it waits in a list that later calls look through. Thread-safe.
class Pool {
 public:
  /// `heaps`: one each device.
  Pool(std::vector<std::shared_ptr<DeviceHeap>> heaps,
       const std::vector<std::shared_ptr<CudaDevice>>& devices);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// As DriverContext says of them.
  bool allocate(runtime::Block& block);
  void release(const runtime::Block& block, std::span<const Event> last_uses) noexcept;
  std::optional<runtime::Block> find(const void* pointer) const;
  /// Whether `native` is the pool of CUDA behind one of the heaps.
  bool has_heap(CUmemoryPool native) const noexcept;
  /// Whether it points into memory that is kept for reuse: CUDA knows it, and nobody has it.
  bool is_spare(const void* pointer);
  PoolUse use() const;
  void trim();

 private:
  /// What one piece can be reused for.
  struct Class {
    size_t bytes, alignment;
    UsmType type;
    int device;
    auto operator<=>(const Class&) const = default;
  };
  /// What a heap gave, and the aligned place in it.
  struct Piece {
    void* native = nullptr;
    void* data = nullptr;
  };
  struct Used {
    runtime::Block block;
    Piece piece;
    Class of;
  };
  struct Pending {
    Piece piece;
    Class of;
    std::vector<Event> last_uses;
  };
  static Class class_of(const runtime::Block& block) noexcept;
  Piece allocate_native(const Class& wanted) const;
  Piece take(const Class& wanted);
  /// Under mutex_: keeps the piece, or frees it where enough are kept.
  void keep(const Piece& piece, const Class& of) noexcept;
  /// Waits for the uses of what is pending.
  void await_pending() const;
  /// Under mutex_: some of the pending ones whose uses have ended, or all of those.
  void sweep(bool all) noexcept;
  /// Whether releases are pending that a sweep should look at.
  bool are_many() const noexcept;

  const std::vector<std::shared_ptr<DeviceHeap>> heaps_;
  const size_t most_kept_;

  mutable std::mutex mutex_;
  std::map<const char*, Used> live_;
  std::map<Class, std::vector<Piece>> free_;
  std::deque<Pending> pending_;
  size_t live_bytes_ = 0, kept_bytes_ = 0, pending_bytes_ = 0;
};

}  // namespace hither::drivers::cuda
