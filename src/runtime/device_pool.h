// Pools of USM that a back end's tasks use by themselves, after the calls that submit them.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "runtime/driver.h"

namespace hither::runtime {

/// Fresh memory of one device in a context. Thread-safe.
class NativeHeap {
 public:
  /// What the back end gave, and the aligned place in it.
  struct Piece {
    void* native = nullptr;
    void* data = nullptr;
  };
  virtual ~NativeHeap() = default;
  /// Of whatever it gives.
  virtual size_t least_alignment() const noexcept = 0;
  /// Without data when there is none. Error kDevice in a lost context.
  virtual Piece allocate(size_t bytes, size_t alignment, UsmType type) = 0;
  /// What nothing uses any more.
  virtual void free(const Piece& piece, UsmType type) noexcept = 0;
  /// Gives back to the system what was freed.
  virtual void trim() noexcept {}
};

/// Allocations by size class, kept for reuse. What is released while tasks still use it waits in a
/// list that later calls look through; for later work of the in-order queue whose tasks those are
/// it is taken as it is, so that a loop which runs ahead of its device stays within the same
/// memory. Thread-safe.
class HITHER_EXPORT DevicePool {
 public:
  /// The pools of one back end: exhausted memory trims them all. Outlives them.
  struct Siblings {
    std::mutex mutex;
    std::set<DevicePool*> all;
  };

  /// `heaps`: one each device of the context. Keeps up to `most_kept` bytes.
  DevicePool(std::vector<std::shared_ptr<NativeHeap>> heaps, size_t most_kept, Siblings& siblings);
  ~DevicePool();
  DevicePool(const DevicePool&) = delete;
  DevicePool& operator=(const DevicePool&) = delete;

  /// As DriverContext says of them.
  bool allocate(Block& block);
  void release(const Block& block, std::span<const Event> last_uses) noexcept;
  std::optional<Block> find(const void* pointer) const;
  /// Whether it points into memory that is kept for reuse: the back end knows it, and nobody has
  /// it.
  bool is_spare(const void* pointer);
  PoolUse use() const;
  void trim();

 private:
  using Piece = NativeHeap::Piece;
  /// What one piece can be reused for.
  struct Class {
    size_t bytes, alignment;
    UsmType type;
    int device;
    auto operator<=>(const Class&) const = default;
  };
  struct Used {
    Block block;
    Piece piece;
    Class of;
    std::vector<Event> earlier;  ///< uses that come before those of Block::order
  };
  struct Pending {
    Piece piece;
    Class of;
    std::vector<Event> last_uses;
    uint64_t order = 0;  ///< of the queue that all of them are of, or 0
  };
  Class class_of(const Block& block) const noexcept;
  const std::shared_ptr<NativeHeap>& heap_of(const Class& of) const noexcept {
    return heaps_[static_cast<size_t>(of.device)];
  }
  Piece allocate_native(const Class& wanted) const;
  /// Without data when nothing can be reused; `earlier` gets the uses that have not ended.
  Piece take(const Class& wanted, uint64_t order, std::vector<Event>& earlier);
  /// Under mutex_, as are the next ones: keeps the piece, or frees it where enough are kept.
  void keep(const Piece& piece, const Class& of) noexcept;
  /// Some of the pending ones whose uses have ended, or all of those.
  void sweep(bool all) noexcept;
  /// Whether releases are pending that a sweep should look at.
  bool are_many() const noexcept;
  /// Waits, without the lock, for the uses of what is pending.
  void await_pending() const;

  const std::vector<std::shared_ptr<NativeHeap>> heaps_;
  const size_t most_kept_;
  Siblings& siblings_;

  mutable std::mutex mutex_;
  std::map<const char*, Used> live_;
  std::map<Class, std::vector<Piece>> free_;
  std::deque<Pending> pending_;
  size_t live_bytes_ = 0, kept_bytes_ = 0, pending_bytes_ = 0;
};

}  // namespace hither::runtime
