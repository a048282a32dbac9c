// The USM of a context.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include <sycl/sycl.hpp>

#include "drivers/sycl/device.h"
#include "runtime/driver.h"

namespace hither::drivers::sycl {

/// Allocations by size class, kept for reuse up to a part of the device's memory. What is released
/// while tasks still use it waits in a list that later calls look through. Thread-safe.
class Pool {
 public:
  Pool(::sycl::context context, std::vector<std::shared_ptr<SyclDevice>> devices);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// As DriverContext says of them.
  bool allocate(runtime::Block& block);
  void release(const runtime::Block& block, std::span<const Event> last_uses) noexcept;
  std::optional<runtime::Block> find(const void* pointer) const;
  /// Whether it points into memory that is kept for reuse: SYCL knows it, and nobody has it.
  bool is_spare(const void* pointer);
  PoolUse use() const;
  void trim();

 private:
  /// What one native allocation can be reused for.
  struct Class {
    size_t bytes, alignment;
    UsmType type;
    int device;
    auto operator<=>(const Class&) const = default;
  };
  struct Used {
    runtime::Block block;
    Class of;
  };
  struct Pending {
    void* data;
    Class of;
    std::vector<Event> last_uses;
  };
  static Class class_of(const runtime::Block& block) noexcept;
  void* allocate_native(const Class& wanted) const;
  /// Under mutex_.
  void free_native(void* data, const Class& of) noexcept;
  void* take(const Class& wanted);
  /// Under mutex_: keeps the block, or frees it where enough are kept.
  void keep(void* data, const Class& of) noexcept;
  /// Waits for the uses of what is pending.
  void await_pending() const;
  /// Under mutex_: some of the pending ones whose uses have ended, or all of those.
  void sweep(bool all) noexcept;

  const ::sycl::context context_;
  const std::vector<std::shared_ptr<SyclDevice>> devices_;
  const size_t most_kept_;

  mutable std::mutex mutex_;
  std::map<const char*, size_t> native_;  // all allocations, and their bytes
  std::map<const char*, Used> live_;
  std::map<Class, std::vector<void*>> free_;
  std::deque<Pending> pending_;
  size_t live_bytes_ = 0, kept_bytes_ = 0, pending_bytes_ = 0;
};

}  // namespace hither::drivers::sycl
