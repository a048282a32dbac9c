// Addresses of foreign memory, by context.
#pragma once

#include <map>
#include <optional>
#include <shared_mutex>

#include <hither/memory.h>

namespace hither::runtime {

/// It holds the ranges that Memory::foreign wraps; the driver finds allocations of the context's
/// own pools. A range may be registered several times. Thread-safe.
class PointerRegistry {
 public:
  static PointerRegistry& process();

  struct Entry {
    const ContextState* context;
    size_t bytes;
    UsmType type;
    std::weak_ptr<DeviceState> device;
  };
  void add(const void* base, Entry entry);
  void remove(const void* base, const ContextState* context, size_t bytes, UsmType type) noexcept;
  /// The smallest registered range of `context` that contains `pointer`.
  std::optional<PointerInfo> find(const void* pointer, const ContextState* context) const;
  /// Whether registered ranges of `context` cover every byte.
  bool covers(const void* low, size_t bytes, const ContextState* context) const;

 private:
  mutable std::shared_mutex mutex_;
  std::multimap<const char*, Entry> entries_;
  size_t largest_ = 0;  ///< bound of the search below an address; never shrinks
};

}  // namespace hither::runtime
