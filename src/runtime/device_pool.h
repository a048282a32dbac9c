// Pools of USM for back ends whose tasks run after the calls that submit them.
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
  /// An allocation of the back end, and the aligned address in it.
  struct Piece {
    void* native = nullptr;
    void* data = nullptr;
  };
  virtual ~NativeHeap() = default;
  /// The alignment of every allocation.
  virtual size_t least_alignment() const noexcept = 0;
  /// Returns a piece without data if memory is exhausted. Error kDevice in a lost context.
  virtual Piece allocate(size_t bytes, size_t alignment, UsmType type) = 0;
  /// Frees a piece that no task uses any more.
  virtual void free(const Piece& piece, UsmType type) noexcept = 0;
  /// Returns freed memory to the system.
  virtual void trim() noexcept {}
};

/// Allocations by size class, kept for reuse. A piece that is released while tasks still use it
/// waits in a list, which later calls search. Later work of the same in-order queue may take it at
/// once, because that work runs after those tasks; so a loop that runs ahead of its device reuses
/// the same memory. Thread-safe.
class HITHER_EXPORT DevicePool {
 public:
  /// The pools of one back end, all of which are trimmed when memory is exhausted. Outlives them.
  struct Siblings {
    std::mutex mutex;
    std::set<DevicePool*> all;
  };

  /// `heaps`: one for each device of the context. Keeps up to `most_kept` bytes.
  DevicePool(std::vector<std::shared_ptr<NativeHeap>> heaps, size_t most_kept, Siblings& siblings);
  ~DevicePool();
  DevicePool(const DevicePool&) = delete;
  DevicePool& operator=(const DevicePool&) = delete;

  /// These members implement those of DriverContext.
  bool allocate(Block& block);
  void release(const Block& block, std::span<const Event> last_uses) noexcept;
  std::optional<Block> find(const void* pointer) const;
  /// Whether it points into memory that is kept for reuse, which the back end knows and which has
  /// no owner.
  bool is_spare(const void* pointer);
  PoolUse use() const;
  size_t peak_held_bytes() const;
  void trim();
  void trim_idle();

 private:
  using Piece = NativeHeap::Piece;
  /// The requests for which a piece can be reused.
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
    std::vector<Event> earlier;  ///< uses before those of the queue Block::order
  };
  struct Pending {
    Piece piece;
    Class of;
    std::vector<Event> last_uses;
    uint64_t order = 0;  ///< of the queue of all last_uses, or 0
  };
  Class class_of(const Block& block) const noexcept;
  const std::shared_ptr<NativeHeap>& heap_of(const Class& of) const noexcept {
    return heaps_[static_cast<size_t>(of.device)];
  }
  Piece allocate_native(const Class& wanted) const;
  /// Returns a piece without data if none can be reused. `earlier` receives the uses that have not
  /// ended.
  Piece take(const Class& wanted, uint64_t order, std::vector<Event>& earlier);
  /// Under mutex_, as are the next ones: keeps the piece, or frees it if enough memory is kept.
  void keep(const Piece& piece, const Class& of) noexcept;
  /// Keeps pending pieces whose uses have ended: some of them, or all.
  void sweep(bool all) noexcept;
  /// Whether enough releases are pending for a sweep.
  bool needs_sweep() const noexcept;
  /// Waits, without the lock, for the uses of all pending pieces.
  void await_pending() const;

  const std::vector<std::shared_ptr<NativeHeap>> heaps_;
  const size_t most_kept_;
  Siblings& siblings_;

  mutable std::mutex mutex_;
  std::map<const char*, Used> live_;
  std::map<Class, std::vector<Piece>> free_;
  std::deque<Pending> pending_;
  size_t live_bytes_ = 0, kept_bytes_ = 0, pending_bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace hither::runtime
