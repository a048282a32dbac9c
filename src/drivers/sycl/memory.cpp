#include "drivers/sycl/memory.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>

#include "runtime/exit_gate.h"

namespace hither::drivers::sycl {
namespace {

/// Fresh memory is worth keeping: an eighth of the device's, but not less than this.
constexpr size_t kLeastKept = size_t{64} << 20;
constexpr size_t kSmallest = 256;
/// Pending releases that one call looks at.
constexpr int kLooks = 8;

size_t most_kept(const std::vector<std::shared_ptr<SyclDevice>>& devices) {
  const auto bytes = std::get<int64_t>(devices[0]->facts().info.at("global_mem_size"));
  return std::max(kLeastKept, static_cast<size_t>(bytes) / 8);
}

/// Four steps to each power of two: at most a fifth is lost.
size_t rounded(size_t bytes) noexcept {
  if (bytes <= kSmallest) return kSmallest;
  const size_t step = size_t{1} << (std::bit_width(bytes - 1) - 3);
  return (bytes + step - 1) / step * step;
}

void give_back(void* data, bool is_usm, const ::sycl::context& context) noexcept {
  if (!is_usm) return std::free(data);
  try {
    ::sycl::free(data, context);
  } catch (...) {
    return;  // nobody to tell: the device is lost, and its memory with it
  }
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

Pool::Pool(::sycl::context context, std::vector<std::shared_ptr<SyclDevice>> devices)
    : context_(std::move(context)), devices_(std::move(devices)), most_kept_(most_kept(devices_)) {
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
    runtime::when_all_ended(left.last_uses, [data = left.data, context = context_,
                                             is_usm = devices_[left.of.device]->has_usm()] {
      give_back(data, is_usm, context);
    });
  pending_.clear();
  trim();
}

Pool::Class Pool::class_of(const runtime::Block& block) noexcept {
  return {rounded(block.bytes), std::max<size_t>(64, block.alignment), block.type, block.device};
}

void* Pool::allocate_native(const Class& wanted) const {
  const SyclDevice& device = *devices_[wanted.device];
  const size_t bytes = (wanted.bytes + wanted.alignment - 1) / wanted.alignment * wanted.alignment;
  if (bytes < wanted.bytes) return nullptr;
  if (!device.has_usm()) return std::aligned_alloc(wanted.alignment, bytes);
  constexpr ::sycl::usm::alloc kinds[] = {::sycl::usm::alloc::device, ::sycl::usm::alloc::shared,
                                          ::sycl::usm::alloc::host};
  try {
    return ::sycl::aligned_alloc(wanted.alignment, bytes, device.native(), context_,
                                 kinds[static_cast<int>(wanted.type)]);
  } catch (const ::sycl::exception&) {
    return nullptr;
  }
}

void Pool::free_native(void* data, const Class& of) noexcept {
  native_.erase(static_cast<const char*>(data));
  give_back(data, devices_[of.device]->has_usm(), context_);
}

void* Pool::take(const Class& wanted) {
  std::lock_guard lock(mutex_);
  sweep(false);
  const auto found = free_.find(wanted);
  if (found == free_.end() || found->second.empty()) return nullptr;
  void* data = found->second.back();
  found->second.pop_back();
  kept_bytes_ -= wanted.bytes;
  return data;
}

bool Pool::allocate(runtime::Block& block) {
  const runtime::InsideRuntime inside;
  if (block.bytes > SIZE_MAX / 2) return false;
  const Class wanted = class_of(block);
  void* data = take(wanted);
  const bool reused = data != nullptr;
  if (!reused) data = allocate_native(wanted);
  if (!data) {
    Pools& pools = Pools::process();
    std::lock_guard lock(pools.mutex);
    for (Pool* pool : pools.all) pool->trim();
    data = allocate_native(wanted);
  }
  if (!data) return false;
  block.data = data;
  std::lock_guard lock(mutex_);
  if (!reused) native_.emplace(static_cast<const char*>(data), wanted.bytes);
  live_.emplace(static_cast<const char*>(data), Used{block, wanted});
  live_bytes_ += block.bytes;
  return true;
}

void Pool::release(const runtime::Block& block, std::span<const Event> last_uses) noexcept {
  const runtime::InsideRuntime inside;
  std::lock_guard lock(mutex_);
  const auto used = live_.find(static_cast<const char*>(block.data));
  const Class of = used->second.of;
  live_.erase(used);
  live_bytes_ -= block.bytes;
  sweep(false);
  const bool ended = std::all_of(last_uses.begin(), last_uses.end(),
                                 [](const Event& use) { return use.is_complete(); });
  if (ended) return keep(block.data, of);
  pending_.push_back({block.data, of, {last_uses.begin(), last_uses.end()}});
  pending_bytes_ += of.bytes;
}

void Pool::keep(void* data, const Class& of) noexcept {
  if (kept_bytes_ + of.bytes > most_kept_) return free_native(data, of);
  free_[of].push_back(data);
  kept_bytes_ += of.bytes;
}

void Pool::sweep(bool all) noexcept {
  for (int looks = 0; !pending_.empty() && (all || looks < kLooks); ++looks) {
    Pending& next = pending_.front();
    if (!std::all_of(next.last_uses.begin(), next.last_uses.end(),
                     [](const Event& use) { return use.is_complete(); }))
      return;
    pending_bytes_ -= next.of.bytes;
    keep(next.data, next.of);
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
  const runtime::InsideRuntime inside;
  await_pending();
  std::lock_guard lock(mutex_);
  sweep(true);
  for (auto& [of, blocks] : free_)
    for (void* data : blocks) free_native(data, of);
  free_.clear();
  kept_bytes_ = 0;
}

bool Pool::is_spare(const void* pointer) {
  const char* const address = static_cast<const char*>(pointer);
  std::lock_guard lock(mutex_);
  sweep(false);
  const auto after = native_.upper_bound(address);
  if (after == native_.begin()) return false;
  const auto& [data, bytes] = *std::prev(after);
  return static_cast<size_t>(address - data) < bytes && !live_.contains(data) &&
         std::none_of(
             pending_.begin(), pending_.end(),
             [&](const Pending& pending) { return pending.data == data; });
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

PoolUse Pool::use() const {
  std::lock_guard lock(mutex_);
  return {live_bytes_, live_.size(), live_bytes_ + kept_bytes_ + pending_bytes_};
}

}  // namespace hither::drivers::sycl
