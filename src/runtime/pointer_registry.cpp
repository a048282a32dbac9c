#include "runtime/pointer_registry.h"

#include <algorithm>
#include <mutex>

namespace hither::runtime {

PointerRegistry& PointerRegistry::process() {
  static PointerRegistry& registry = *new PointerRegistry;
  return registry;
}

void PointerRegistry::add(const void* base, Entry entry) {
  std::lock_guard lock(mutex_);
  largest_ = std::max(largest_, entry.bytes);
  entries_.emplace(static_cast<const char*>(base), std::move(entry));
}

void PointerRegistry::remove(const void* base, const ContextState* context, size_t bytes,
                             UsmType type) noexcept {
  std::lock_guard lock(mutex_);
  const auto [first, last] = entries_.equal_range(static_cast<const char*>(base));
  const auto found = std::find_if(first, last, [&](const auto& item) {
    return item.second.context == context && item.second.bytes == bytes && item.second.type == type;
  });
  if (found != last) entries_.erase(found);
  if (entries_.empty()) largest_ = 0;
}

std::optional<PointerInfo> PointerRegistry::find(const void* pointer,
                                                 const ContextState* context) const {
  std::shared_lock lock(mutex_);
  const char* address = static_cast<const char*>(pointer);
  std::optional<PointerInfo> best;
  for (auto it = entries_.upper_bound(address); it != entries_.begin();) {
    --it;
    const size_t offset = static_cast<size_t>(address - it->first);
    if (offset >= largest_) break;
    const Entry& entry = it->second;
    if (entry.context != context || offset >= entry.bytes) continue;
    if (best && best->bytes <= entry.bytes) continue;
    if (auto device = entry.device.lock())
      best = PointerInfo{entry.type, Device(std::move(device)), const_cast<char*>(it->first),
                         entry.bytes};
  }
  return best;
}

bool PointerRegistry::covers(const void* low, size_t bytes, const ContextState* context) const {
  const char* address = static_cast<const char*>(low);
  for (size_t left = bytes; left > 0;) {
    const auto part = find(address, context);
    if (!part) return false;
    const char* const end = static_cast<const char*>(part->base) + part->bytes;
    const size_t step = std::min(left, static_cast<size_t>(end - address));
    address += step;
    left -= step;
  }
  return true;
}

}  // namespace hither::runtime
