// Releasing the GIL where that is worth its cost.
#pragma once

#include <cstdint>
#include <optional>

#include "python/interpreter/gil.h"
#include "python/interpreter/host_task.h"

namespace hither::python {

/// A scope that touches no Python object. It releases the GIL to its end if `elements` is enough
/// work to pay for it, if host tasks in Python may be pending, which need the GIL, or as soon as
/// the thread is about to block; see process/before_blocking.h. Also a call_guard. A scope inside
/// of another one may release the GIL if the outer one has not.
class ReleaseGil {
 public:
  /// For lazy operations, which run nothing but work that was pending before.
  ReleaseGil() : ReleaseGil(0) {}
  explicit ReleaseGil(int64_t elements) : outer_(innermost_release) {
    if (outer_ && outer_->release_) return;
    innermost_release = this;
    if (elements > kWorthReleasing || python_work_pending()) release_.emplace();
  }
  ReleaseGil(const ReleaseGil&) = delete;
  ReleaseGil& operator=(const ReleaseGil&) = delete;
  ~ReleaseGil() { innermost_release = outer_; }

  /// Makes process::before_blocking() release the GIL in such scopes.
  static void release_before_blocking() noexcept;

 private:
  static constexpr int64_t kWorthReleasing = 32 * 1024;
  ReleaseGil* const outer_;
  std::optional<GilReleased> release_;
};

/// Calls work() in such a scope.
template <typename Work>
auto unlocked(Work&& work) {
  ReleaseGil release;
  return work();
}

}  // namespace hither::python
