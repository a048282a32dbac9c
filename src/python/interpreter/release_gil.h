// Releasing the GIL where that is worth its cost.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "process/interruption.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/host_task.h"

namespace hither::python {

/// A scope that touches no Python object. It releases the GIL to its end if `elements` is enough
/// work to pay for it, if host tasks in Python may be pending, which need the GIL, or as soon as
/// the thread is about to block; see process/before_blocking.h. Also a call_guard. The thread holds
/// the GIL where the scope begins.
class ReleaseGil {
 public:
  /// For lazy operations, which run nothing but work that was pending before.
  ReleaseGil() : ReleaseGil(0) {}
  explicit ReleaseGil(int64_t elements) : outer_(HoldingScope::enter(this)) {
    if (elements > kWorthReleasing || python_work_pending()) release();
  }
  ReleaseGil(const ReleaseGil&) = delete;
  ReleaseGil& operator=(const ReleaseGil&) = delete;
  ~ReleaseGil() {
    const bool has_waited = release_.has_value();
    release_.reset();
    HoldingScope::enter(outer_);
    if (!outer_) show_printed_if_any(has_waited);
  }

  /// Releases the GIL if the calling thread is in such a scope and holds it.
  static void release_before_blocking() noexcept {
    if (ReleaseGil* const scope = HoldingScope::of_this_thread()) scope->release();
  }

 private:
#ifdef __SANITIZE_ADDRESS__  // then each scope that touches a Python object crashes
  static constexpr int64_t kWorthReleasing = -1;
#else
  static constexpr int64_t kWorthReleasing = 32 * 1024;
#endif

  void release() noexcept {
    HoldingScope::enter(nullptr);
    release_.emplace();
  }

  const process::InterruptibleCall call_;
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
