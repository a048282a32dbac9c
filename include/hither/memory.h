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
/// The USM type of a result of two operands: device before shared before host.
constexpr UsmType strongest(UsmType a, UsmType b) noexcept { return a < b ? a : b; }

namespace runtime {
struct AllocationState;
}

/// An owner of USM or of foreign memory. It is a handle: copies share the memory. The memory is
/// returned when the last copy is destroyed, after the work that release_after() names.
class HITHER_EXPORT Memory {
 public:
  Memory() noexcept = default;
  /// Allocates from the context's pool, aligned to at least 64 bytes (`alignment` may ask for more,
  /// a power of two). Error kMemory if memory is exhausted even after the pools have been trimmed.
  /// bytes may be 0.
  Memory(const Queue& queue, size_t bytes, UsmType type, size_t alignment = 64);
  /// The same for device USM that is first used by work submitted to `queue` from now on. Earlier
  /// tasks of an in-order queue may still use the memory for a released allocation.
  static Memory for_work(const Queue& queue, size_t bytes, UsmType type);
  /// Memory of another owner. `release` is called exactly once, on any thread, to give it back.
  static Memory foreign(const Queue& queue, void* data, size_t bytes, UsmType type,
                        std::function<void()> release);
  explicit operator bool() const noexcept { return state_ != nullptr; }

  void* data() const noexcept;
  size_t bytes() const noexcept;
  UsmType usm_type() const noexcept;
  /// The queue it was allocated for.
  const Queue& queue() const noexcept;
  bool is_foreign() const noexcept;
  /// Whether plain host code may access the memory: not device USM of GPUs, nor of CPUs with
  /// HITHER_STRICT_USM=1.
  bool host_accessible() const noexcept;
  /// Delays the return of this memory until `event` has ended.
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
  /// Size of the allocation; PTRDIFF_MAX if the back end does not report it. For Memory::foreign
  /// unknown to the back end, the wrapped size.
  size_t bytes;
};
/// The allocation of `pointer` in `context`; empty for memory that the context does not know.
HITHER_EXPORT std::optional<PointerInfo> pointer_info(const void* pointer, const Context& context);
/// Whether `bytes` bytes from `low` on are memory that `context` knows: a part of one allocation,
/// or of adjoining ranges that Memory::foreign wraps. If the back end does not report an
/// allocation's size, the first and the last byte are checked.
HITHER_EXPORT bool is_known_range(const void* low, size_t bytes, const Context& context);

/// Bytes that live owners have from the pools of `context`, and bytes that the pools hold in total.
struct PoolUse {
  size_t live_bytes, live_allocations, held_bytes;
};
HITHER_EXPORT PoolUse pool_use(const Context& context);
/// Returns unused pool memory of the context to the system.
HITHER_EXPORT void trim_pools(const Context& context);

}  // namespace hither
