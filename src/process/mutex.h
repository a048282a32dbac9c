// A mutex that threads may hold for as long as a kernel runs.
#pragma once

#include <atomic>
#include <cstdint>

namespace hither::process {

/// Works with std::lock_guard and std::unique_lock. Without contention, lock() and unlock() are one
/// atomic instruction each, inline; a std::mutex needs twice the time. Waiting threads sleep.
class Mutex {
 public:
  bool try_lock() noexcept {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kLocked, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  void lock() noexcept {
    if (try_lock()) return;
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree)
      state_.wait(kAwaited, std::memory_order_relaxed);
  }
  void unlock() noexcept {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) state_.notify_one();
  }
  /// Whether a thread holds the mutex. If none does, all that earlier holders wrote is visible.
  bool is_locked() const noexcept { return state_.load(std::memory_order_acquire) != kFree; }

 private:
  /// kAwaited: locked, and threads may be waiting.
  enum : uint32_t { kFree, kLocked, kAwaited };
  std::atomic<uint32_t> state_{kFree};
};

}  // namespace hither::process
