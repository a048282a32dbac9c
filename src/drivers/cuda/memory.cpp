#include "drivers/cuda/memory.h"

#include <algorithm>
#include <bit>
#include <set>

namespace hither::drivers::cuda {
namespace {

/// Freed memory is worth keeping: a quarter of the device's, but not less than this.
constexpr size_t kLeastKept = size_t{64} << 20;
constexpr size_t kSmallest = 256;
/// What every allocation of CUDA is aligned to.
constexpr size_t kNativeAlignment = 256;
/// Pending releases that one call looks at.
constexpr int kLooks = 8;
/// Pending releases of less together may wait until there are more: to ask CUDA takes longer than
/// all else about a small array's memory.
constexpr size_t kFewBytes = size_t{1} << 20;

size_t most_kept(const std::vector<std::shared_ptr<CudaDevice>>& devices) {
  const auto bytes = std::get<int64_t>(devices[0]->facts().info.at("global_mem_size"));
  return std::max(kLeastKept, static_cast<size_t>(bytes) / 4);
}

/// Four steps to each power of two: at most a fifth is lost.
size_t rounded(size_t bytes) noexcept {
  if (bytes <= kSmallest) return kSmallest;
  const size_t step = size_t{1} << (std::bit_width(bytes - 1) - 3);
  return (bytes + step - 1) / step * step;
}

bool have_ended(std::span<const Event> uses) {
  return std::all_of(uses.begin(), uses.end(), [](const Event& use) { return use.is_complete(); });
}

/// Every pool of the process, for the trimming that exhausted memory asks for.
struct Pools {
  std::mutex mutex;
  std::set<Pool*> all;
  static Pools& process() {
    static Pools& pools = *new Pools;
    return pools;
  }
};

}  // namespace

Pool::Pool(std::vector<std::shared_ptr<DeviceHeap>> heaps,
           const std::vector<std::shared_ptr<CudaDevice>>& devices)
    : heaps_(std::move(heaps)), most_kept_(most_kept(devices)) {
  Pools& pools = Pools::process();
  std::lock_guard lock(pools.mutex);
  pools.all.insert(this);
}

Pool::~Pool() {
  Pools& pools = Pools::process();
  {
    std::lock_guard lock(pools.mutex);
    pools.all.erase(this);
  }
  sweep(false);
  for (const Pending& left : pending_)
    runtime::when_all_ended(left.last_uses,
                            [heap = heaps_[left.of.device], native = left.piece.native,
                             type = left.of.type] { heap->free(native, type); });
  pending_.clear();
  trim();
}

Pool::Class Pool::class_of(const runtime::Block& block) noexcept {
  return {rounded(block.bytes), std::max(kNativeAlignment, block.alignment), block.type,
          block.device};
}

Pool::Piece Pool::allocate_native(const Class& wanted) const {
  const size_t spare = wanted.alignment - kNativeAlignment;
  if (wanted.bytes > SIZE_MAX - spare) return {};
  void* const native = heaps_[wanted.device]->allocate(wanted.bytes + spare, wanted.type);
  const auto address = reinterpret_cast<uintptr_t>(native);
  const size_t skipped = (wanted.alignment - address % wanted.alignment) % wanted.alignment;
  return {native, native ? static_cast<char*>(native) + skipped : nullptr};
}

Pool::Piece Pool::take(const Class& wanted) {
  std::lock_guard lock(mutex_);
  if (are_many()) sweep(false);
  auto found = free_.find(wanted);
  if (found == free_.end() || found->second.empty()) {
    sweep(false);
    found = free_.find(wanted);
  }
  if (found == free_.end() || found->second.empty()) return {};
  const Piece piece = found->second.back();
  found->second.pop_back();
  kept_bytes_ -= wanted.bytes;
  return piece;
}

bool Pool::allocate(runtime::Block& block) {
  if (block.bytes > SIZE_MAX / 2) return false;
  const Class wanted = class_of(block);
  Piece piece = take(wanted);
  if (!piece.data) piece = allocate_native(wanted);
  if (!piece.data) {
    Pools& pools = Pools::process();
    std::lock_guard lock(pools.mutex);
    for (Pool* pool : pools.all) pool->trim();
    piece = allocate_native(wanted);
  }
  if (!piece.data) return false;
  block.data = piece.data;
  std::lock_guard lock(mutex_);
  live_.emplace(static_cast<const char*>(piece.data), Used{block, piece, wanted});
  live_bytes_ += block.bytes;
  return true;
}

void Pool::release(const runtime::Block& block, std::span<const Event> last_uses) noexcept {
  std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<const char*>(block.data));
  const Used used = found->second;
  live_.erase(found);
  live_bytes_ -= block.bytes;
  if (are_many()) sweep(false);
  if (last_uses.empty()) return keep(used.piece, used.of);
  pending_.push_back({used.piece, used.of, {last_uses.begin(), last_uses.end()}});
  pending_bytes_ += used.of.bytes;
}

bool Pool::are_many() const noexcept {
  return pending_.size() >= 2 * kLooks || pending_bytes_ >= kFewBytes;
}

void Pool::keep(const Piece& piece, const Class& of) noexcept {
  if (kept_bytes_ + of.bytes > most_kept_) return heaps_[of.device]->free(piece.native, of.type);
  free_[of].push_back(piece);
  kept_bytes_ += of.bytes;
}

void Pool::sweep(bool all) noexcept {
  // An end in a queue in order is that of all before it, of which CUDA need not be asked.
  if (!all && pending_.size() >= kLooks) (void)have_ended(pending_[kLooks - 1].last_uses);
  for (int looks = 0; !pending_.empty() && (all || looks < kLooks); ++looks) {
    Pending& next = pending_.front();
    if (!have_ended(next.last_uses)) return;
    pending_bytes_ -= next.of.bytes;
    keep(next.piece, next.of);
    pending_.pop_front();
  }
}

// Not under the lock, which whoever drops an array takes with the GIL held: the uses may need it.
void Pool::await_pending() const {
  std::vector<Event> uses;
  {
    std::lock_guard lock(mutex_);
    for (const Pending& next : pending_)
      uses.insert(uses.end(), next.last_uses.begin(), next.last_uses.end());
  }
  runtime::wait_for_all(uses);
}

void Pool::trim() {
  await_pending();
  std::lock_guard lock(mutex_);
  sweep(true);
  for (auto& [of, pieces] : free_)
    for (const Piece& piece : pieces) heaps_[of.device]->free(piece.native, of.type);
  free_.clear();
  kept_bytes_ = 0;
  for (const auto& heap : heaps_) heap->trim();
}

std::optional<runtime::Block> Pool::find(const void* pointer) const {
  const char* const address = static_cast<const char*>(pointer);
  std::lock_guard lock(mutex_);
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return std::nullopt;
  const auto& [data, used] = *std::prev(after);
  if (static_cast<size_t>(address - data) >= std::max<size_t>(1, used.block.bytes))
    return std::nullopt;
  return used.block;
}

bool Pool::is_spare(const void* pointer) {
  const char* const address = static_cast<const char*>(pointer);
  std::lock_guard lock(mutex_);
  sweep(false);
  for (const auto& [of, pieces] : free_) {
    for (const Piece& piece : pieces) {
      const char* const data = static_cast<const char*>(piece.data);
      if (address >= data && address < data + of.bytes) return true;
    }
  }
  return false;
}

bool Pool::has_heap(CUmemoryPool native) const noexcept {
  return std::any_of(heaps_.begin(), heaps_.end(),
                     [&](const auto& heap) { return native && heap->native() == native; });
}

PoolUse Pool::use() const {
  std::lock_guard lock(mutex_);
  return {live_bytes_, live_.size(), live_bytes_ + kept_bytes_ + pending_bytes_};
}

}  // namespace hither::drivers::cuda
