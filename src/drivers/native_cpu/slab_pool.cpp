#include "drivers/native_cpu/slab_pool.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "drivers/native_cpu/mapping.h"

namespace hither::drivers::native_cpu {
namespace {

constexpr size_t kUnit = 64;  ///< bytes; sizes and alignment of all blocks
constexpr size_t kMediumBytes = 64 << 10;
constexpr size_t kSmallSlab = kHugePage, kMediumSlab = 8 * kHugePage;

void add(std::atomic<size_t>& counter, size_t n) noexcept {
  // A lock is held, so no atomic read-modify-write is needed.
  counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

}  // namespace

/// The header of a slab, followed by one word for each block, then the blocks.
struct SlabPool::Slab {
  Slab* next;  ///< the next slab of the class
  char* first;
  uint32_t block_bytes, blocks, carved, live;

  /// Zero for a free block, else size and tag of the allocation.
  uint64_t* words() noexcept { return reinterpret_cast<uint64_t*>(this + 1); }
  uint32_t index_of(const void* data) const noexcept {
    return static_cast<uint32_t>(static_cast<const char*>(data) - first) / block_bytes;
  }
  static uint64_t pack(size_t bytes, uint16_t tag) noexcept { return (bytes + 1) << 16 | tag; }
  static size_t bytes_of(uint64_t word) noexcept { return (word >> 16) - 1; }
};

int SlabPool::class_of(size_t bytes) noexcept {
  const size_t last = (std::max<size_t>(bytes, 1) - 1) / kUnit;  // units, less one
  if (last < 8) return static_cast<int>(last);
  const int shift = static_cast<int>(std::bit_width(last)) - 3;
  return shift * 4 + static_cast<int>(last >> shift);
}

size_t SlabPool::block_bytes_of(int c) noexcept {
  if (c < 8) return static_cast<size_t>(c + 1) * kUnit;
  const int shift = c / 4 - 1;
  return (static_cast<size_t>(c - shift * 4 + 1) << shift) * kUnit;
}

size_t SlabPool::slab_bytes_of(int c) noexcept {
  return block_bytes_of(c) <= kMediumBytes ? kSmallSlab : kMediumSlab;
}

SlabPool::Slab* SlabPool::slab_of(const void* data, int c) noexcept {
  // Slabs are aligned to their size.
  return reinterpret_cast<Slab*>(reinterpret_cast<uintptr_t>(data) & ~(slab_bytes_of(c) - 1));
}

char* SlabPool::take(Class& c) noexcept {
  if (FreeBlock* block = c.free) {
    c.free = block->next;
    return reinterpret_cast<char*>(block);
  }
  if (!c.fresh) return nullptr;
  Slab& slab = *c.fresh;
  char* const block = slab.first + size_t{slab.carved} * slab.block_bytes;
  if (++slab.carved == slab.blocks) c.fresh = nullptr;
  add(c.carved_bytes, slab.block_bytes);
  return block;
}

void* SlabPool::allocate(size_t bytes, uint16_t tag) noexcept {
  const int size_class = class_of(bytes);
  Class& c = classes_[size_class];
  for (Slab* made = nullptr;;) {
    {
      std::lock_guard lock(c.lock);
      if (made) {
        // Another thread may have added a slab too. Then the rest of the older one is unused until
        // a trim.
        made->next = c.slabs;
        c.slabs = made;
        if (!c.fresh) c.fresh = made;
      }
      if (char* block = take(c)) {
        Slab& slab = *slab_of(block, size_class);
        slab.words()[slab.index_of(block)] = Slab::pack(bytes, tag);
        ++slab.live;
        add(c.live_bytes, bytes);
        add(c.live_blocks, 1);
        return block;
      }
    }
    made = make_slab(size_class);
    if (!made) return nullptr;
  }
}

bool SlabPool::release(void* data, size_t bytes) noexcept {
  const int size_class = class_of(bytes);
  Class& c = classes_[size_class];
  Slab& slab = *slab_of(data, size_class);
  auto* const block = static_cast<FreeBlock*>(data);
  std::lock_guard lock(c.lock);
  slab.words()[slab.index_of(data)] = 0;
  block->next = c.free;
  c.free = block;
  add(c.live_bytes, size_t{0} - bytes);
  add(c.live_blocks, size_t{0} - 1);
  return --slab.live == 0 && (slab.next || c.slabs != &slab);
}

SlabPool::Slab* SlabPool::make_slab(int size_class) noexcept {
  const size_t slab_bytes = slab_bytes_of(size_class);
  const size_t block_bytes = block_bytes_of(size_class);
  void* const memory = map_memory(slab_bytes, slab_bytes);
  if (!memory) return nullptr;
  auto* const slab = static_cast<Slab*>(memory);
  const size_t blocks = (slab_bytes - sizeof(Slab) - kUnit) / (block_bytes + sizeof(uint64_t));
  const size_t header = (sizeof(Slab) + blocks * sizeof(uint64_t) + kUnit - 1) / kUnit * kUnit;
  *slab = {.next = nullptr,
           .first = static_cast<char*>(memory) + header,
           .block_bytes = static_cast<uint32_t>(block_bytes),
           .blocks = static_cast<uint32_t>(blocks),
           .carved = 0,
           .live = 0};
  try {
    std::lock_guard lock(slabs_mutex_);
    slabs_.emplace(reinterpret_cast<uintptr_t>(memory), size_class);
  } catch (...) {
    unmap_memory(memory, slab_bytes);
    return nullptr;
  }
  return slab;
}

std::optional<Found> SlabPool::find(const void* pointer) const {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  for (size_t slab_bytes : {kSmallSlab, kMediumSlab}) {
    const uintptr_t base = address & ~(slab_bytes - 1);
    // Another thread may trim the slab, but not while this thread holds the list.
    std::shared_lock lock(slabs_mutex_);
    const auto known = slabs_.find(base);
    if (known == slabs_.end() || slab_bytes_of(known->second) != slab_bytes) continue;
    auto& slab = *reinterpret_cast<Slab*>(base);
    std::lock_guard class_lock(classes_[known->second].lock);
    if (static_cast<const char*>(pointer) < slab.first) return std::nullopt;
    const uint32_t i = slab.index_of(pointer);
    if (i >= slab.carved || slab.words()[i] == 0) return std::nullopt;
    const uint64_t word = slab.words()[i];
    char* const data = slab.first + size_t{i} * slab.block_bytes;
    const size_t offset = static_cast<size_t>(static_cast<const char*>(pointer) - data);
    if (offset >= std::max<size_t>(1, Slab::bytes_of(word))) return std::nullopt;
    return Found{data, Slab::bytes_of(word), static_cast<uint16_t>(word)};
  }
  return std::nullopt;
}

void SlabPool::trim() noexcept {
  for (int c = 0; c < kClasses; ++c) trim_class(c);
}

void SlabPool::trim_class(int size_class) noexcept {
  const size_t slab_bytes = slab_bytes_of(size_class);
  Class& c = classes_[size_class];
  std::lock_guard list_lock(slabs_mutex_);
  Slab* unused = nullptr;
  {
    std::lock_guard lock(c.lock);
    FreeBlock* kept = nullptr;
    FreeBlock** last = &kept;
    for (FreeBlock* block = c.free; block; block = block->next) {
      if (slab_of(block, size_class)->live == 0) continue;
      *last = block;
      last = &block->next;
    }
    *last = nullptr;
    c.free = kept;
    Slab** link = &c.slabs;
    while (Slab* slab = *link) {
      if (slab->live != 0) {
        link = &slab->next;
        continue;
      }
      *link = slab->next;
      if (c.fresh == slab) c.fresh = nullptr;
      add(c.carved_bytes, size_t{0} - size_t{slab->carved} * slab->block_bytes);
      slab->next = unused;
      unused = slab;
    }
    // Another slab may still have blocks that were never allocated.
    for (Slab* slab = c.slabs; slab && !c.fresh; slab = slab->next)
      if (slab->carved < slab->blocks) c.fresh = slab;
  }
  while (unused) {
    Slab* const slab = unused;
    unused = slab->next;
    slabs_.erase(reinterpret_cast<uintptr_t>(slab));
    unmap_memory(slab, slab_bytes);
  }
}

SlabPool::Use SlabPool::use() const noexcept {
  Use use;
  for (const Class& c : classes_) {
    use.live_bytes += c.live_bytes.load(std::memory_order_relaxed);
    use.live_blocks += c.live_blocks.load(std::memory_order_relaxed);
    use.held_bytes += c.carved_bytes.load(std::memory_order_relaxed);
  }
  return use;
}

SlabPool::~SlabPool() {
  for (const auto& [base, size_class] : slabs_)
    unmap_memory(reinterpret_cast<void*>(base), slab_bytes_of(size_class));
}

}  // namespace hither::drivers::native_cpu
