// A lock for sections of a few instructions.
#pragma once

#include <atomic>
#include <thread>

namespace hither::process {

/// Works with std::lock_guard. Without contention it costs half as much as a std::mutex. After many
/// spins it yields, because the owner may have been descheduled.
class SpinLock {
 public:
  void lock() noexcept {
    for (int spins = 0; taken_.exchange(true, std::memory_order_acquire); ++spins)
      while (taken_.load(std::memory_order_relaxed))
        if (++spins > 100) std::this_thread::yield();
  }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace hither::process
