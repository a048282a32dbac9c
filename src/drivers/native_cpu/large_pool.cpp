#include "drivers/native_cpu/large_pool.h"

#include <algorithm>
#include <bit>

#include "drivers/native_cpu/mapping.h"

namespace hither::drivers::native_cpu {

size_t LargePool::capacity_for(size_t bytes) noexcept {
  const size_t page = bytes < kHugePage ? kPage : kHugePage;
  const size_t rounded = (std::max<size_t>(bytes, 1) + page - 1) & ~(page - 1);
  if (rounded < bytes) return SIZE_MAX / 2;  // overflow: no system has that much
  // There are eight sizes for each power of two. The unused end of a block is never accessed, so it
  // costs no memory.
  const size_t step = std::max(page, std::bit_floor(rounded) / 8);
  return (rounded + step - 1) / step * step;
}

char* LargePool::take_idle(size_t capacity, size_t alignment) noexcept {
  for (size_t i = idle_.size(); i-- > 0;) {
    const Idle idle = idle_[i];
    // A block of the next larger size is used as well; a much larger one is kept for larger
    // requests.
    if (idle.capacity < capacity || idle.capacity - capacity > capacity / 8) continue;
    if (reinterpret_cast<uintptr_t>(idle.data) & (alignment - 1)) continue;
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
    idle_bytes_ -= idle.capacity;
    return idle.data;
  }
  return nullptr;
}

void* LargePool::allocate(size_t bytes, size_t alignment, uint16_t tag, bool may_map) noexcept {
  const size_t capacity = capacity_for(bytes);
  std::lock_guard lock(mutex_);
  char* data = take_idle(capacity, alignment);
  if (!data) {
    if (!may_map) return nullptr;
    const size_t page = capacity < kHugePage ? kPage : kHugePage;
    data = static_cast<char*>(map_memory(capacity, std::max(alignment, page)));
    if (!data) return nullptr;
    try {
      blocks_[data].capacity = capacity;
      idle_.reserve(blocks_.size());  // so that release() never allocates
    } catch (...) {
      blocks_.erase(data);
      unmap_memory(data, capacity);
      return nullptr;
    }
  }
  Block& block = blocks_.find(data)->second;
  block.bytes = bytes;
  block.tag = tag;
  block.live = true;
  live_bytes_ += bytes;
  live_capacity_ += block.capacity;
  ++live_blocks_;
  return data;
}

void LargePool::release(void* data) noexcept {
  std::lock_guard lock(mutex_);
  Block& block = blocks_.find(static_cast<char*>(data))->second;
  block.live = false;
  live_bytes_ -= block.bytes;
  live_capacity_ -= block.capacity;
  --live_blocks_;
  idle_.push_back({static_cast<char*>(data), block.capacity});
  idle_bytes_ += block.capacity;
}

std::optional<Found> LargePool::find(const void* pointer) const {
  char* const address = static_cast<char*>(const_cast<void*>(pointer));
  std::lock_guard lock(mutex_);
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return std::nullopt;
  const auto& [data, block] = *--after;
  if (!block.live || static_cast<size_t>(address - data) >= std::max<size_t>(1, block.bytes))
    return std::nullopt;
  return Found{data, block.bytes, block.tag};
}

void LargePool::trim(size_t idle_bytes) noexcept {
  std::lock_guard lock(mutex_);
  size_t gone = 0;
  while (idle_bytes_ > idle_bytes && gone < idle_.size()) {
    const Idle& oldest = idle_[gone++];
    idle_bytes_ -= oldest.capacity;
    blocks_.erase(oldest.data);
    unmap_memory(oldest.data, oldest.capacity);
  }
  idle_.erase(idle_.begin(), idle_.begin() + static_cast<std::ptrdiff_t>(gone));
}

SlabPool::Use LargePool::use() const noexcept {
  std::lock_guard lock(mutex_);
  return {live_bytes_, live_blocks_, live_capacity_ + idle_bytes_};
}

LargePool::~LargePool() {
  for (const auto& [data, block] : blocks_) unmap_memory(data, block.capacity);
}

}  // namespace hither::drivers::native_cpu
