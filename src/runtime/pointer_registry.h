// Addresses of foreign memory that is lent to us, by context.
#pragma once

#include <map>
#include <optional>
#include <shared_mutex>

#include <hither/memory.h>

namespace hither::runtime {

/// Allocations of a context's own pools are found by its driver; this holds what Memory::foreign
/// wraps. The same range may be lent several times. Thread-safe.
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
  /// The smallest lent range of `context` that holds `pointer`.
  std::optional<PointerInfo> find(const void* pointer, const ContextState* context) const;
  /// Whether every byte is in some lent range of `context`.
  bool covers(const void* low, size_t bytes, const ContextState* context) const;

 private:
  mutable std::shared_mutex mutex_;
  std::multimap<const char*, Entry> entries_;
  size_t largest_ = 0;  ///< bound of the search below an address; never shrinks
};

}  // namespace hither::runtime
