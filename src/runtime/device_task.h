// A task that has been submitted to a back end which runs it asynchronously.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/error_report.h"
#include "runtime/event_state.h"
#include "runtime/failure_log.h"

namespace hither::runtime {

/// It ends without help of the host. The first query after its end determines its error. If the
/// task may fail and no one queries it, its queue does. A driver derives one final class, which
/// knows the back end's event.
class HITHER_EXPORT DeviceTask : public EventState,
                                 public std::enable_shared_from_this<DeviceTask> {
 public:
  struct Options {
    std::shared_ptr<FailureLog> failures;
    uint64_t number = 0;                  ///< of the submission, in its queue
    uint64_t queue = 0;                   ///< HostTask::new_queue_number()
    bool in_order = false;                ///< of the queue
    bool on_host_cores = false;           ///< of the queue's device, see DeviceQueue
    const void* context = nullptr;        ///< of the queue, see DeviceQueue
    std::unique_ptr<ErrorReport> report;  ///< of a kernel that reports errors
    std::vector<Event> depends_on;        ///< those that may fail
  };
  explicit DeviceTask(Options&& options)
      : options_(std::move(options)), may_fail_(options_.report || !options_.depends_on.empty()) {}

  uint64_t queue() const noexcept { return options_.queue; }
  uint64_t number() const noexcept { return options_.number; }
  const void* context() const noexcept { return options_.context; }
  /// Whether the task or one of its dependencies may fail with an error that is known only at the
  /// end.
  bool may_fail() const noexcept { return may_fail_; }

  void wait() noexcept override { finish(); }
  bool wait_unless_interrupted() noexcept override;
  const Error* error() const noexcept override;
  void on_end(std::function<void()> then) override;
  bool follows(const EventState& earlier) const noexcept override;
  uint64_t order() const noexcept override { return options_.in_order ? options_.queue : 0; }

 protected:
  /// Whether the end has been observed and the error determined.
  bool is_finished() const noexcept { return finished_.load(std::memory_order_acquire); }
  /// Waits for the end and determines the error.
  virtual void finish() const noexcept;
  /// Whether the task has ended. Asks the back end.
  virtual bool has_ended() const noexcept { return status() == EventStatus::kComplete; }
  /// Waits for the back end's event. An exception becomes the task's error.
  virtual void wait_for_end() const = 0;
  /// The back end's error of a task that has ended, unless wait_for_end() throws it.
  virtual std::optional<Error> native_error() const { return std::nullopt; }

 private:
  mutable Options options_;
  const bool may_fail_;
  mutable std::atomic<bool> finished_{false};
  mutable std::mutex mutex_;  ///< of finish()
  mutable std::optional<Error> error_;
};

}  // namespace hither::runtime
