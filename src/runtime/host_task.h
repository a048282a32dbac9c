// A task that runs on the host, or that the host submits to the device when its dependencies have
// ended.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/event_state.h"
#include "runtime/failure_log.h"

namespace hither::runtime {

HITHER_EXPORT uint64_t now_nanoseconds() noexcept;

/// Waits for its dependencies, which may belong to any driver, then runs once on its own thread.
class HITHER_EXPORT HostTask final : public EventState,
                                     public std::enable_shared_from_this<HostTask> {
 public:
  /// Returns the error of the task, if any. It may replace the times, which the host measured. Does
  /// not throw.
  using Work = std::function<std::optional<Error>(ProfilingTimes& times)>;
  struct Options {
    std::shared_ptr<FailureLog> failures;
    uint64_t number = 0;  ///< of the submission, in its queue
    bool profiling = false;
    uint64_t queue = 0;  ///< from new_queue_number()
  };
  HostTask(Options options, Work work);

  /// Called once. An error of `depends_on` becomes the task's error; an error of `after` does not.
  void submit(std::vector<Event> depends_on, std::vector<Event> after);
  /// A unique number for Options::queue.
  static uint64_t new_queue_number() noexcept;
  /// Whether this thread is inside a task of `queue`.
  static bool runs_here(uint64_t queue) noexcept;

  EventStatus status() const noexcept override;
  void wait() noexcept override;
  const Error* error() const noexcept override { return error_ ? &*error_ : nullptr; }
  std::optional<ProfilingTimes> times() const noexcept override;
  std::optional<ProfilingTimes> profiled_times() const noexcept override { return ran_; }
  void on_end(std::function<void()> then) override;

 private:
  enum State : int { kPending, kRunning, kEnded };
  void dependency_ended();
  void run() noexcept;
  void end(std::optional<Error> error) noexcept;

  const Options options_;
  Work work_;
  std::atomic<int> state_{kPending};
  std::atomic<size_t> open_dependencies_{1};
  ProfilingTimes times_;
  ProfilingTimes ran_;  ///< while a profile runs, as the host measures it
  std::optional<Error> error_;

  std::mutex mutex_;  ///< protects the members below
  std::condition_variable ended_;
  std::vector<Event> depends_on_;
  std::vector<std::function<void()>> then_;
};

}  // namespace hither::runtime
