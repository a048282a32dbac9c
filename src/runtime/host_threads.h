// Threads for host work that may block.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "runtime/event_state.h"

namespace hither::runtime {

/// There are as many threads as running jobs, because a job may wait for another one: a fixed
/// number of threads could deadlock. Idle threads are reused, and end after a while. The object is
/// never destroyed, because threads may outlive main().
class HITHER_EXPORT HostThreads {
 public:
  static HostThreads& process();

  /// Runs `job`, which does not throw, on a thread.
  void run(std::function<void()> job);
  /// Calls `then` after `task` has ended. One thread waits for all such tasks in the order of the
  /// calls: they are device tasks, which end without help of the host.
  void run_after(std::shared_ptr<EventState> task, std::function<void()> then);
  /// Waits until all tasks of run_after() have ended and been handled, at most until `end`.
  void wait_for_watched(std::chrono::steady_clock::time_point end);
  /// From now on no job starts.
  void stop();

 private:
  void work();
  void watch();

  struct Watched {
    std::shared_ptr<EventState> task;
    std::function<void()> then;
  };
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> jobs_;
  size_t idle_ = 0;
  bool stopped_ = false;
  std::deque<Watched> watched_;
  bool watching_ = false;
};

}  // namespace hither::runtime
