// The progress of an in-order queue.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/host_task.h"

namespace hither::drivers::cuda {

/// Known states of an in-order queue's tasks, which avoid slow queries of CUDA. Tasks before a
/// completed one are complete; tasks after a running one are not. Thread-safe.
class Progress {
 public:
  bool has_ended(uint64_t number) const noexcept {
    return number < ended_.load(std::memory_order_acquire);
  }
  void note_ended(uint64_t number) noexcept {
    uint64_t known = ended_.load(std::memory_order_relaxed);
    while (known <= number &&
           !ended_.compare_exchange_weak(known, number + 1, std::memory_order_acq_rel)) {
    }
  }
  /// Whether the task was still running a moment ago.
  bool was_running(uint64_t number) const noexcept {
    return number >= running_.load(std::memory_order_relaxed) &&
           ticks() - asked_.load(std::memory_order_relaxed) < kMoment;
  }
  void note_running(uint64_t number) noexcept {
    running_.store(number, std::memory_order_relaxed);
    asked_.store(ticks(), std::memory_order_relaxed);
  }

 private:
  /// A clock of negligible cost: every launch reads it several times.
  static uint64_t ticks() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return runtime::now_nanoseconds();
#endif
  }
  static constexpr uint64_t kMoment = 50'000;  ///< about 20 microseconds
  std::atomic<uint64_t> ended_{0}, running_{UINT64_MAX}, asked_{0};
};

}  // namespace hither::drivers::cuda
