#include "runtime/device_pool.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace hither::runtime {
namespace {

constexpr size_t kSmallest = 256;
/// The number of pending releases that one call examines.
constexpr int kLooks = 8;
/// The number of newest pending releases that are compared with a request, without queries of the
/// back end.
constexpr std::ptrdiff_t kCompared = 64;
/// Below this total of pending bytes nothing is swept, because a query of the back end takes longer
/// than the rest of an allocation.
constexpr size_t kFewBytes = size_t{1} << 20;

/// There are four sizes for each power of two, so at most a fifth is wasted.
size_t rounded(size_t bytes) noexcept {
  if (bytes <= kSmallest) return kSmallest;
  const size_t step = size_t{1} << (std::bit_width(bytes - 1) - 3);
  return (bytes + step - 1) / step * step;
}

bool have_ended(std::span<const Event> uses) {
  return std::all_of(uses.begin(), uses.end(), [](const Event& use) { return use.is_complete(); });
}

/// The common order of all tasks, or 0.
uint64_t order_of(std::span<const Event> tasks) noexcept {
  const uint64_t order = tasks.front().state()->order();
  const bool is_common =
      std::ranges::all_of(tasks, [&](const Event& task) { return task.state()->order() == order; });
  return is_common ? order : 0;
}

}  // namespace

DevicePool::DevicePool(std::vector<std::shared_ptr<NativeHeap>> heaps, size_t most_kept,
                       Siblings& siblings)
    : heaps_(std::move(heaps)), most_kept_(most_kept), siblings_(siblings) {
  std::lock_guard lock(siblings_.mutex);
  siblings_.all.insert(this);
}

DevicePool::~DevicePool() {
  {
    std::lock_guard lock(siblings_.mutex);
    siblings_.all.erase(this);
  }
  sweep(false);
  for (const Pending& left : pending_)
    when_all_ended(left.last_uses, [heap = heap_of(left.of), piece = left.piece,
                                    type = left.of.type] { heap->free(piece, type); });
  pending_.clear();
  trim();
}

DevicePool::Class DevicePool::class_of(const Block& block) const noexcept {
  Class of{rounded(block.bytes), block.alignment, block.type, block.device};
  of.alignment = std::max(of.alignment, heap_of(of)->least_alignment());
  return of;
}

DevicePool::Piece DevicePool::allocate_native(const Class& wanted) const {
  return heap_of(wanted)->allocate(wanted.bytes, wanted.alignment, wanted.type);
}

DevicePool::Piece DevicePool::take(const Class& wanted, uint64_t order,
                                   std::vector<Event>& earlier) {
  std::lock_guard lock(mutex_);
  if (order != 0) {
    const auto newest = pending_.rbegin();
    const auto last = newest + std::min(kCompared, std::ssize(pending_));
    const auto found = std::find_if(
        newest, last, [&](const Pending& p) { return p.order == order && p.of == wanted; });
    if (found != last) {
      const Piece piece = found->piece;
      earlier = std::move(found->last_uses);
      pending_bytes_ -= wanted.bytes;
      pending_.erase(std::next(found).base());
      return piece;
    }
  }
  if (needs_sweep()) sweep(false);
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

bool DevicePool::allocate(Block& block) {
  if (block.bytes > SIZE_MAX / 2) return false;
  const Class wanted = class_of(block);
  std::vector<Event> earlier;
  Piece piece = take(wanted, block.order, earlier);
  if (!piece.data && block.only_cached) return false;
  if (!piece.data) piece = allocate_native(wanted);
  if (!piece.data) {
    std::lock_guard lock(siblings_.mutex);
    for (DevicePool* pool : siblings_.all) pool->trim();
    piece = allocate_native(wanted);
  }
  if (!piece.data) return false;
  block.data = piece.data;
  std::lock_guard lock(mutex_);
  live_.emplace(static_cast<const char*>(piece.data),
                Used{block, piece, wanted, std::move(earlier)});
  live_bytes_ += block.bytes;
  peak_bytes_ = std::max(peak_bytes_, live_bytes_ + kept_bytes_ + pending_bytes_);
  return true;
}

void DevicePool::release(const Block& block, std::span<const Event> last_uses) noexcept {
  std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<const char*>(block.data));
  const Used used = std::move(found->second);
  live_.erase(found);
  live_bytes_ -= block.bytes;
  if (needs_sweep()) sweep(false);
  std::vector<Event> uses;
  std::ranges::copy_if(last_uses, std::back_inserter(uses),
                       [](const Event& e) { return e.state() != nullptr; });
  // The earlier uses end before any later task of their queue.
  if (std::ranges::none_of(uses,
                           [&](const Event& e) { return e.state()->order() == used.block.order; }))
    std::ranges::copy_if(used.earlier, std::back_inserter(uses),
                         [](const Event& e) { return !e.is_complete(); });
  if (uses.empty()) return keep(used.piece, used.of);
  const uint64_t order = order_of(uses);
  pending_.push_back({used.piece, used.of, std::move(uses), order});
  pending_bytes_ += used.of.bytes;
}

bool DevicePool::needs_sweep() const noexcept {
  return pending_.size() >= 2 * kLooks || pending_bytes_ >= kFewBytes;
}

void DevicePool::keep(const Piece& piece, const Class& of) noexcept {
  if (kept_bytes_ + of.bytes > most_kept_) return heap_of(of)->free(piece, of.type);
  free_[of].push_back(piece);
  kept_bytes_ += of.bytes;
}

void DevicePool::sweep(bool all) noexcept {
  // In an in-order queue the end of a task implies the end of all earlier ones, which need no
  // query.
  if (!all && pending_.size() >= kLooks) (void)have_ended(pending_[kLooks - 1].last_uses);
  for (int looks = 0; !pending_.empty() && (all || looks < kLooks); ++looks) {
    Pending& next = pending_.front();
    if (!have_ended(next.last_uses)) return;
    pending_bytes_ -= next.of.bytes;
    keep(next.piece, next.of);
    pending_.pop_front();
  }
}

// Without the lock: a thread that destroys an array takes the lock with the GIL held, and the uses
// may need the GIL.
void DevicePool::await_pending() const {
  std::vector<Event> uses;
  {
    std::lock_guard lock(mutex_);
    for (const Pending& next : pending_)
      uses.insert(uses.end(), next.last_uses.begin(), next.last_uses.end());
  }
  wait_for_all(uses);
}

void DevicePool::trim() {
  await_pending();
  trim_idle();
}

void DevicePool::trim_idle() {
  std::lock_guard lock(mutex_);
  sweep(true);
  for (auto& [of, pieces] : free_)
    for (const Piece& piece : pieces) heap_of(of)->free(piece, of.type);
  free_.clear();
  kept_bytes_ = 0;
  for (const auto& heap : heaps_) heap->trim();
}

std::optional<Block> DevicePool::find(const void* pointer) const {
  const char* const address = static_cast<const char*>(pointer);
  std::lock_guard lock(mutex_);
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return std::nullopt;
  const auto& [data, used] = *std::prev(after);
  if (static_cast<size_t>(address - data) >= std::max<size_t>(1, used.block.bytes))
    return std::nullopt;
  return used.block;
}

bool DevicePool::is_spare(const void* pointer) {
  const char* const address = static_cast<const char*>(pointer);
  std::lock_guard lock(mutex_);
  sweep(true);
  for (const auto& [of, pieces] : free_) {
    for (const Piece& piece : pieces) {
      const char* const data = static_cast<const char*>(piece.data);
      if (address >= data && address < data + of.bytes) return true;
    }
  }
  return false;
}

size_t DevicePool::peak_held_bytes() const {
  std::lock_guard lock(mutex_);
  return peak_bytes_;
}

PoolUse DevicePool::use() const {
  std::lock_guard lock(mutex_);
  return {live_bytes_, live_.size(), live_bytes_ + kept_bytes_ + pending_bytes_};
}

}  // namespace hither::runtime
