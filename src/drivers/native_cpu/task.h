// A task of the CPU that ends some time after its submission.
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

/// What a task does; the error it ended with, if any. Does not throw.
using Work = std::function<std::optional<Error>()>;

uint64_t now_nanoseconds() noexcept;

/// Waits for its dependencies, then runs once: on a worker of its arena, or on a thread that waits
/// for it, whichever comes first. That waiting threads help is what keeps host tasks that wait for
/// other tasks from blocking the arena.
class Task final : public runtime::EventState, public std::enable_shared_from_this<Task> {
 public:
  struct Options {
    std::shared_ptr<Arena> arena;  ///< null: runs in wait() or try_run() alone
    std::shared_ptr<runtime::FailureLog> failures;
    uint64_t number = 0;  ///< of the submission, in its queue
    bool profiling = false;
  };
  /// Errors of `depends_on` are taken over, those of `after` are not.
  Task(Options options, Work work, std::span<const Event> depends_on,
       std::vector<Event> after = {});

  /// Called once, before which the task does not run; others may wait for it already.
  void submit();
  /// Runs the task if it is ready and nobody has begun to.
  bool try_run() noexcept;

  EventStatus status() const noexcept override;
  void wait() noexcept override;
  const Error* error() const noexcept override { return error_ ? &*error_ : nullptr; }
  std::optional<runtime::ProfilingTimes> times() const noexcept override;
  void on_end(std::function<void()> then) override;

 private:
  enum State : int { kPending, kReady, kRunning, kEnded };
  void dependency_ended();
  void end(std::optional<Error> error) noexcept;
  /// A dependency that has not ended, or an empty Event.
  Event open_dependency();
  void block_while(State state) noexcept;

  const Options options_;
  Work work_;
  std::atomic<int> state_{kPending};
  std::atomic<size_t> open_dependencies_{1};
  std::shared_ptr<Task> enqueued_;  ///< itself, from being enqueued to being taken up
  runtime::ProfilingTimes times_;
  std::optional<Error> error_;

  std::mutex mutex_;                 ///< of what follows
  std::condition_variable changed_;  ///< state_ has
  std::vector<Event> depends_on_, after_;
  std::vector<std::function<void()>> then_;
};

}  // namespace hither::drivers::native_cpu
