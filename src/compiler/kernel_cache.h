// Memory cache of compiled kernels.
#pragma once

#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "target/code_image.h"

namespace hither::compiler {

/// Holds at most `capacity` images and drops the least recently used ones first; a caller that
/// holds an image keeps it alive. If several threads ask for one key, the first of them runs
/// make(), without a lock. The others wait and get its image or its error. Failures are not cached.
/// Thread-safe.
class KernelCache {
 public:
  using Image = std::shared_ptr<const target::CodeImage>;
  explicit KernelCache(size_t capacity) : capacity_(capacity) {}

  struct Found {
    Image image;
    bool in_memory;
  };
  Found get(std::string_view key, const target::Target& target, const std::function<Image()>& make);
  size_t size() const;
  void clear();

 private:
  struct Key {
    target::Target target;
    std::string bytes;
  };
  struct KeyView {
    const target::Target& target;
    std::string_view bytes;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(const Key& k) const noexcept { return (*this)(KeyView{k.target, k.bytes}); }
    size_t operator()(const KeyView& k) const noexcept;
  };
  struct Equal {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const noexcept {
      return a.bytes == b.bytes && a.target == b.target;
    }
  };
  struct Entry {
    std::shared_future<Image> future;
    std::list<const Key*>::iterator place;
  };
  using Map = std::unordered_map<Key, Entry, Hash, Equal>;

  /// Drops the least recently used finished entries beyond the capacity. Requires the lock. The
  /// dropped entries are moved to `dropped`, which the caller destroys after it has released the
  /// lock.
  void trim(std::list<std::shared_future<Image>>& dropped);

  size_t capacity_;
  mutable std::mutex mutex_;
  Map map_;
  std::list<const Key*> recent_;  // front: used last
};

}  // namespace hither::compiler
