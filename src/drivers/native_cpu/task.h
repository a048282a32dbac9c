// A task of the CPU that may end after its submission.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/native_cpu/arena.h"
#include "runtime/driver.h"

namespace hither::drivers::native_cpu {

/// The work of a task, which returns its error, if any. Does not throw.
using Work = std::function<std::optional<Error>()>;

uint64_t now_nanoseconds() noexcept;

/// Waits for its dependencies, then runs once: on a worker of its arena or on a thread that waits
/// for it, whichever starts first. Because waiting threads help, host tasks that wait for other
/// tasks do not block the arena.
class Task final : public runtime::EventState, public std::enable_shared_from_this<Task> {
 public:
  struct Options {
    std::shared_ptr<Arena> arena;  ///< null: runs only in wait() or try_run()
    std::shared_ptr<runtime::FailureLog> failures;
    uint64_t number = 0;  ///< of the submission, in its queue
    bool profiling = false;
  };
  /// An error of `depends_on` becomes the task's error; an error of `after` does not.
  Task(Options options, Work work, std::span<const Event> depends_on,
       std::vector<Event> after = {});

  /// Called once. The task does not run before; other threads may wait for it already.
  void submit();
  /// Runs the task if it is ready and has not been started.
  bool try_run() noexcept;
  /// Whether the calling thread is running the task.
  bool runs_here() const noexcept;

  EventStatus status() const noexcept override;
  void wait() noexcept override;
  const Error* error() const noexcept override { return error_ ? &*error_ : nullptr; }
  std::optional<runtime::ProfilingTimes> times() const noexcept override;
  std::optional<runtime::ProfilingTimes> profiled_times() const noexcept override { return times_; }
  void on_end(std::function<void()> then) override;

 private:
  enum State : int { kPending, kReady, kRunning, kEnded };
  void dependency_ended();
  void end(std::optional<Error> error) noexcept;
  /// An unfinished dependency, or an empty Event.
  Event open_dependency();
  void block_while(State state) noexcept;
  /// Ends the running task with an error if its thread remained in the parent at fork().
  void end_if_lost() noexcept;

  const Options options_;
  Work work_;
  std::atomic<int> state_{kPending};
  std::atomic<int> generation_{-1};  ///< process::fork_generation() when it began to run
  std::atomic<size_t> open_dependencies_{1};
  std::shared_ptr<Task> enqueued_;  ///< itself, while it is enqueued
  const Task* outer_ = nullptr;     ///< the task in which its thread runs it
  const bool timed_;                ///< whether its queue profiles, or a profile is running
  runtime::ProfilingTimes times_;
  std::optional<Error> error_;

  std::mutex mutex_;                 ///< protects the members below
  std::condition_variable changed_;  ///< notified when state_ changes
  std::vector<Event> depends_on_, after_;
  std::vector<std::function<void()>> then_;
};

}  // namespace hither::drivers::native_cpu
