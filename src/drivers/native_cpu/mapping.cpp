#include "drivers/native_cpu/mapping.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <sys/mman.h>

#include "drivers/native_cpu/topology.h"

namespace hither::drivers::native_cpu {
namespace {

std::atomic<size_t> mapped{0};

/// Whether this many bytes fit into the memory of the machine.
bool fits(size_t bytes) noexcept {
  static std::atomic<size_t> most = [] {
    const int64_t memory = Topology::machine().memory_bytes;
    return memory > 0 ? static_cast<size_t>(memory) : SIZE_MAX;
  }();
  if (bytes <= most.load(std::memory_order_relaxed)) return true;
  if (const auto now = memory_bytes_now())
    most.store(static_cast<size_t>(*now), std::memory_order_relaxed);
  return bytes <= most.load(std::memory_order_relaxed);
}

}  // namespace

void* map_memory(size_t bytes, size_t alignment) noexcept {
  alignment = std::max(alignment, kPage);
  if (bytes > SIZE_MAX / 2 || !fits(bytes)) return nullptr;
  if (!fits(mapped.fetch_add(bytes) + bytes)) {
    mapped -= bytes;
    return nullptr;
  }
  // Map more than requested, then unmap the parts before and after the aligned part.
  const size_t slack = alignment - kPage;
  void* const raw = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) {
    mapped -= bytes;
    return nullptr;
  }
  const auto begin = reinterpret_cast<uintptr_t>(raw);
  const uintptr_t aligned = (begin + alignment - 1) & ~(uintptr_t{alignment} - 1);
  const size_t before = aligned - begin, after = slack - before;
  if (before) munmap(raw, before);
  if (after) munmap(reinterpret_cast<void*>(aligned + bytes), after);
  void* const data = reinterpret_cast<void*>(aligned);
#ifdef MADV_HUGEPAGE
  if (bytes >= kHugePage) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
}

void unmap_memory(void* data, size_t bytes) noexcept {
  munmap(data, bytes);
  mapped -= bytes;
}

}  // namespace hither::drivers::native_cpu
