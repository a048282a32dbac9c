// USM allocations.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include <hither/context.h>
#include <hither/event.h>
#include <hither/queue.h>

namespace hither {

enum class UsmType : uint8_t { kDevice, kShared, kHost };
HITHER_EXPORT std::string_view name_of(UsmType type) noexcept;
/// Type of a result of both: device over shared over host.
constexpr UsmType strongest(UsmType a, UsmType b) noexcept { return a < b ? a : b; }

namespace runtime {
struct AllocationState;
}

/// An owner of USM (or of foreign memory that is lent to us): a handle, copies share it. The memory
/// is returned when the last copy goes, after the work that release_after() names.
class HITHER_EXPORT Memory {
 public:
  Memory() noexcept = default;
  /// Takes from the context's pool, aligned to at least 64 bytes (`alignment` may ask for more, a
  /// power of two). Error kMemory when exhausted, after trimming the pools. bytes may be 0.
  Memory(const Queue& queue, size_t bytes, UsmType type, size_t alignment = 64);
  /// The same, of device USM for which work submitted to `queue` from now on is the first use of
  /// all: tasks that an in-order queue has may still be using it for what has been dropped.
  static Memory for_work(const Queue& queue, size_t bytes, UsmType type);
  /// Memory that someone else owns and `release` gives back, exactly once, on any thread.
  static Memory foreign(const Queue& queue, void* data, size_t bytes, UsmType type,
                        std::function<void()> release);
  explicit operator bool() const noexcept { return state_ != nullptr; }

  void* data() const noexcept;
  size_t bytes() const noexcept;
  UsmType usm_type() const noexcept;
  /// The queue it was allocated for.
  const Queue& queue() const noexcept;
  bool is_foreign() const noexcept;
  /// May plain host code touch it? False for device USM off the CPU and under HITHER_STRICT_USM=1.
  bool host_accessible() const noexcept;
  /// Orders the return of this memory after `event`.
  void release_after(const Event& event) const;

  const std::shared_ptr<runtime::AllocationState>& state() const noexcept { return state_; }

 private:
  Memory(const Queue& queue, size_t bytes, UsmType type, size_t alignment, uint64_t order);

  std::shared_ptr<runtime::AllocationState> state_;
};

struct PointerInfo {
  UsmType type;
  Device device;
  void* base;  ///< start of the allocation
  /// Of the whole allocation; PTRDIFF_MAX where the back end cannot tell. Of memory that the back
  /// end does not know but Memory::foreign wraps, of what was wrapped.
  size_t bytes;
};
/// What `pointer` is in `context`; empty for memory the context does not know ("unknown").
HITHER_EXPORT std::optional<PointerInfo> pointer_info(const void* pointer, const Context& context);
/// Whether `bytes` bytes from `low` on are memory that `context` knows: a part of one allocation
/// (of one whose size the back end cannot tell, by its first and last byte), or of what
/// Memory::foreign wraps, adjoining ranges taken together.
HITHER_EXPORT bool is_known_range(const void* low, size_t bytes, const Context& context);

/// Bytes now taken from pools by live owners, and held by pools in all, for `context`.
struct PoolUse {
  size_t live_bytes, live_allocations, held_bytes;
};
HITHER_EXPORT PoolUse pool_use(const Context& context);
/// Returns unused pool memory of the context to the system.
HITHER_EXPORT void trim_pools(const Context& context);

}  // namespace hither
