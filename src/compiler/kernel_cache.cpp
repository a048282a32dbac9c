#include "compiler/kernel_cache.h"
#include "process/before_blocking.h"

#include <chrono>
#include <utility>

#include <xxhash.h>

namespace hither::compiler {

size_t KernelCache::Hash::operator()(const KeyView& k) const noexcept {
  uint64_t seed = XXH3_64bits(k.target.arch.data(), k.target.arch.size());
  return XXH3_64bits_withSeed(k.bytes.data(), k.bytes.size(),
                              seed ^ static_cast<uint64_t>(k.target.kind));
}

KernelCache::Found KernelCache::get(std::string_view key, const target::Target& target,
                                    const std::function<Image()>& make) {
  std::promise<Image> promise;
  std::list<std::shared_future<Image>> dropped;
  {
    std::unique_lock lock(mutex_);
    auto it = map_.find(KeyView{target, key});
    if (it != map_.end()) {
      recent_.splice(recent_.begin(), recent_, it->second.place);
      std::shared_future<Image> future = it->second.future;
      lock.unlock();
      if (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        process::before_blocking();
      return {future.get(), true};
    }
    it = map_.emplace(Key{target, std::string(key)}, Entry{promise.get_future().share(), {}}).first;
    recent_.push_front(&it->first);
    it->second.place = recent_.begin();
    trim(dropped);
  }
  try {
    Image image = make();
    promise.set_value(image);
    return {std::move(image), false};
  } catch (...) {
    promise.set_exception(std::current_exception());
    std::lock_guard lock(mutex_);
    if (auto it = map_.find(KeyView{target, key}); it != map_.end()) {
      recent_.erase(it->second.place);
      map_.erase(it);
    }
    throw;
  }
}

void KernelCache::trim(std::list<std::shared_future<Image>>& dropped) {
  auto last = recent_.end();
  while (map_.size() > capacity_ && last != recent_.begin()) {
    --last;
    auto it = map_.find(**last);
    bool finished =
        it->second.future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    if (!finished) continue;  // the thread that makes it still refers to the entry
    dropped.push_back(std::move(it->second.future));
    last = recent_.erase(last);
    map_.erase(it);
  }
}

size_t KernelCache::size() const {
  std::lock_guard lock(mutex_);
  return map_.size();
}

void KernelCache::clear() {
  std::list<std::shared_future<Image>> dropped;
  std::lock_guard lock(mutex_);
  size_t capacity = std::exchange(capacity_, 0);
  trim(dropped);
  capacity_ = capacity;
}

}  // namespace hither::compiler
