// Threads for host work that waits.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "runtime/event_state.h"

namespace hither::runtime {

/// As many threads as there are jobs that run or wait at once: a job may wait for another, so that
/// a fixed number of threads could block for good. Idle threads are used again, and end after a
/// while. Never destroyed, since threads may outlive main().
class HITHER_EXPORT HostThreads {
 public:
  static HostThreads& process();

  /// Runs `job`, which does not throw, soon.
  void run(std::function<void()> job);
  /// Calls `then` after `task` ended. One thread watches all such tasks, in the order in which they
  /// came: they are the device's, and end without anybody's help.
  void run_after(std::shared_ptr<EventState> task, std::function<void()> then);
  /// No job begins any more.
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
