// A task that has been submitted to CUDA.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <typeinfo>
#include <vector>

#include "drivers/cuda/clock.h"
#include "drivers/cuda/error_report.h"
#include "drivers/cuda/progress.h"
#include "runtime/driver.h"

namespace hither::drivers::cuda {

/// The events that a task records in its stream.
struct Marks {
  std::shared_ptr<NativeEvent> end;
  std::shared_ptr<NativeEvent> start;    ///< when its queue profiles
  std::shared_ptr<const Anchor> anchor;  ///< likewise
  uint64_t submitted = 0;                ///< likewise

  /// The times of a completed task.
  std::optional<runtime::ProfilingTimes> times() const noexcept;
};

/// It ends without help of the host. The first query after its end determines its error. If the
/// task may fail and no one queries it, its queue does.
class DeviceTask final : public runtime::EventState,
                         public std::enable_shared_from_this<DeviceTask> {
 public:
  struct Options {
    Marks marks;
    std::shared_ptr<runtime::FailureLog> failures;
    uint64_t number = 0;                  ///< of the submission, in its queue
    uint64_t queue = 0;                   ///< runtime::HostTask::new_queue_number()
    std::shared_ptr<Progress> progress;   ///< of the queue, when it is in order
    std::unique_ptr<ErrorReport> report;  ///< of a kernel that reports errors
    std::vector<Event> depends_on;        ///< those that may fail
  };
  explicit DeviceTask(Options options)
      : options_(std::move(options)), may_fail_(options_.report || !options_.depends_on.empty()) {}

  /// The state as a DeviceTask, or null.
  static const DeviceTask* of(const runtime::EventState& state) noexcept {
    // Called several times in a launch: a dynamic_cast takes five times as long.
    return typeid(state) == typeid(DeviceTask) ? static_cast<const DeviceTask*>(&state) : nullptr;
  }

  const std::shared_ptr<NativeEvent>& native() const noexcept { return options_.marks.end; }
  uint64_t queue() const noexcept { return options_.queue; }
  /// Whether the task or one of its dependencies may fail.
  bool may_fail() const noexcept { return may_fail_; }

  EventStatus status() const noexcept override;
  void wait() noexcept override { finish(); }
  const Error* error() const noexcept override;
  std::optional<runtime::ProfilingTimes> times() const noexcept override;
  void on_end(std::function<void()> then) override;
  bool follows(const runtime::EventState& earlier) const noexcept override;
  uint64_t order() const noexcept override { return options_.progress ? options_.queue : 0; }

 private:
  /// Waits for the end and determines the error.
  void finish() const noexcept;

  mutable Options options_;
  const bool may_fail_;
  mutable std::atomic<bool> finished_{false};
  mutable std::mutex mutex_;  ///< of finish()
  mutable std::optional<Error> error_;
};

}  // namespace hither::drivers::cuda
