// Queues that nobody uses any more.
#pragma once

#include <chrono>
#include <deque>

#include <sycl/sycl.hpp>

#include "drivers/sycl/wait.h"

namespace hither::drivers::sycl {

/// Keeps queues until they have been idle for a while. Intel's OpenCL lets go of a command's queue
/// on the thread that ran the command, after the host was told of the end. Where that is the last
/// to have an out-of-order queue, the thread waits for the queue's tasks, of which it runs one, for
/// ever. Not thread-safe.
class RetiredQueues {
 public:
  void add(const ::sycl::queue& queue) { queues_.push_back({queue, is_idle(queue), Clock::now()}); }

  /// Lets go of those that have rested. Not beside a thread that waits: their end is a wait, too.
  void sweep() {
    const auto turn = try_lock_wait();
    if (!turn) return;
    while (!queues_.empty() && Clock::now() - queues_.front().since > kRest) {
      Resting first = std::move(queues_.front());
      queues_.pop_front();
      if (!first.idle) add(first.queue);
    }
  }

  template <class Visit>
  void each(Visit visit) {
    for (Resting& resting : queues_) visit(resting.queue);
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// That thread has microseconds of work left, on a busy machine maybe a turn of the scheduler.
  static constexpr std::chrono::seconds kRest{2};

  struct Resting {
    ::sycl::queue queue;
    bool idle;
    Clock::time_point since;
  };

  static bool is_idle(const ::sycl::queue& queue) noexcept {
    try {
      return queue.ext_oneapi_empty();
    } catch (...) {
      return true;  // nothing that waiting would help
    }
  }

  std::deque<Resting> queues_;
};

}  // namespace hither::drivers::sycl
