#include "drivers/native_cpu/memory.h"

#include "drivers/native_cpu/topology.h"
#include "process/environment.h"

namespace hither::drivers::native_cpu {
namespace {

/// The limit of a pool that the environment sets.
std::optional<size_t> chosen_limit() {
  static const auto bytes = process::number_in_environment(process::variable::kPoolLimit);
  return bytes;
}

size_t share_of(int64_t memory) noexcept {
  return static_cast<size_t>(memory > 0 ? memory / 4 : int64_t{1} << 30);
}

}  // namespace

std::mutex& Pool::all_mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

std::vector<Pool*>& Pool::all() {
  static std::vector<Pool*>& pools = *new std::vector<Pool*>;
  return pools;
}

Pool::Pool()
    : is_limit_chosen_(chosen_limit().has_value()),
      idle_limit_(chosen_limit().value_or(share_of(Topology::machine().memory_bytes))) {
  std::lock_guard lock(all_mutex());
  all().push_back(this);
}

Pool::~Pool() {
  std::lock_guard lock(all_mutex());
  std::erase(all(), this);
}

void* Pool::try_allocate(size_t bytes, size_t alignment, uint16_t tag, bool only_cached) noexcept {
  return is_small(bytes, alignment) ? small_.allocate(bytes, tag)
                                    : large_.allocate(bytes, alignment, tag, !only_cached);
}

void* Pool::allocate(size_t bytes, size_t alignment, uint16_t tag, bool only_cached) {
  void* const data = try_allocate(bytes, alignment, tag, only_cached);
  if (data || only_cached) return data;
  trim_all();
  return try_allocate(bytes, alignment, tag, false);
}

void Pool::release(void* data, size_t bytes, size_t alignment) noexcept {
  if (is_small(bytes, alignment)) {
    if (small_.release(data, bytes)) keep_bound();
    return;
  }
  large_.release(data);
  keep_bound();
}

void Pool::keep_bound() noexcept {
  size_t limit = idle_limit_.load(std::memory_order_relaxed);
  const SlabPool::Use small = small_.use(), large = large_.use();
  const size_t live = small.live_bytes + large.live_bytes;
  const size_t held = small.held_bytes + large.held_bytes;
  if (held - live <= limit) return;
  if (const auto now = is_limit_chosen_ ? std::nullopt : memory_bytes_now()) {
    limit = share_of(*now);
    idle_limit_.store(limit, std::memory_order_relaxed);
    if (held - live <= limit) return;
  }
  record_peak();
  const size_t small_idle = small.held_bytes - small.live_bytes;
  large_.trim(limit > small_idle ? limit - small_idle : 0);
  if (small_idle > limit) small_.trim();
}

std::optional<Found> Pool::find(const void* pointer) const {
  if (auto found = small_.find(pointer)) return found;
  return large_.find(pointer);
}

void Pool::record_peak() const noexcept {
  const size_t held = small_.use().held_bytes + large_.use().held_bytes;
  size_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (peak < held && !peak_bytes_.compare_exchange_weak(peak, held)) {
  }
}

size_t Pool::peak_held_bytes() const noexcept {
  record_peak();
  return peak_bytes_.load(std::memory_order_relaxed);
}

void Pool::trim() noexcept {
  record_peak();
  small_.trim();
  large_.trim(0);
}

void Pool::trim_all() noexcept {
  std::lock_guard lock(all_mutex());
  for (Pool* pool : all()) pool->trim();
}

PoolUse Pool::use() const {
  const SlabPool::Use small = small_.use(), large = large_.use();
  return {.live_bytes = small.live_bytes + large.live_bytes,
          .live_allocations = small.live_blocks + large.live_blocks,
          .held_bytes = small.held_bytes + large.held_bytes};
}

}  // namespace hither::drivers::native_cpu
