// Queues that are no longer in use.
#pragma once

#include <chrono>
#include <deque>

#include <sycl/sycl.hpp>

#include "drivers/sycl/wait.h"

namespace hither::drivers::sycl {

/// Keeps queues until they have been idle for a while. Intel's OpenCL releases a command's queue on
/// the thread that ran the command, after the host has seen its end. If that is the last reference
/// to an out-of-order queue, the thread waits for the queue's tasks, one of which it is running: a
/// deadlock. Not thread-safe.
class RetiredQueues {
 public:
  void add(const ::sycl::queue& queue) { queues_.push_back({queue, is_idle(queue), Clock::now()}); }

  /// Releases queues that have been idle long enough, unless another thread waits in SYCL: the
  /// destruction of a queue is a wait as well (wait.h).
  void sweep() {
    const auto lock = try_lock_wait();
    if (!lock) return;
    while (!queues_.empty() && Clock::now() - queues_.front().since > kIdleTime) {
      Retired first = std::move(queues_.front());
      queues_.pop_front();
      if (!first.idle) add(first.queue);
    }
  }

  template <class Visit>
  void each(Visit visit) {
    for (Retired& resting : queues_) visit(resting.queue);
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// That thread needs microseconds, or a time slice on a busy machine, to release the queue.
  static constexpr std::chrono::seconds kIdleTime{2};

  struct Retired {
    ::sycl::queue queue;
    bool idle;
    Clock::time_point since;
  };

  static bool is_idle(const ::sycl::queue& queue) noexcept {
    try {
      return queue.ext_oneapi_empty();
    } catch (...) {
      return true;  // waiting would not help
    }
  }

  std::deque<Retired> queues_;
};

}  // namespace hither::drivers::sycl
