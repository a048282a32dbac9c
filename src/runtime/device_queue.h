// The order of tasks in a queue whose back end runs commands asynchronously.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <typeinfo>
#include <vector>

#include "error/current_error.h"
#include "runtime/device_task.h"
#include "runtime/driver.h"
#include "runtime/host_task.h"

namespace hither::runtime {

/// A command that depends only on tasks of its back end is submitted to the back end at once. Other
/// commands, which are host work or depend on host work, become HostTasks: a thread submits them
/// when their dependencies have ended. On an in-order queue every command after an unfinished
/// HostTask is a HostTask.
///
/// A driver derives its queue, implements launch(), copy(), fill() and prefetch() by submit(), and
/// calls leave() in its destructor.
class HITHER_EXPORT DeviceQueue : public DriverQueue {
 public:
  uint64_t order() const noexcept final { return properties_.in_order ? number_ : 0; }
  Event submit_host(std::function<void()> work, std::span<const Event> depends_on) final;
  void wait() final;
  /// EventState::wait_unless_interrupted() of a task of the back end that ends after all submitted
  /// so far, unless it has to wait for host tasks.
  bool wait_for_last_unless_interrupted();
  void log_ended_failures() noexcept override;

 protected:
  using Tasks = std::span<const DeviceTask* const>;
  /// Submits a command without dependencies to the back end and waits for its end. It may replace
  /// the times. An exception becomes the task's error. It may be called after the queue's end.
  using Deferred = std::function<void(ProfilingTimes& times)>;
  /// The dependencies of a submission.
  struct Dependencies {
    std::vector<const DeviceTask*> native;  ///< those for which the back end has to wait
    std::vector<Event> may_fail;            ///< unfinished tasks of the back end that may fail
    bool host = false;                      ///< some belong to the host
    std::optional<Error> failed;
  };

  /// The back end's own tasks are those of the class `task_class` whose queues have the same
  /// `context`: its commands can wait for them. `current_error` converts the exception of host
  /// work.
  DeviceQueue(QueueProperties properties, std::shared_ptr<FailureLog> failures,
              const std::type_info& task_class, const void* context = nullptr,
              Error (*current_error)(const char* where) = error::current_error)
      : properties_(properties),
        failures_(std::move(failures)),
        task_class_(task_class),
        context_(context),
        current_error_(current_error) {}

  // The back end's part:

  /// Whether commands can wait for this own task now. Asked for unfinished tasks.
  virtual bool is_at_device(const DeviceTask& /*task*/) const { return true; }
  /// The fault that prevents further commands.
  virtual std::optional<Error> fault() const { return std::nullopt; }
  /// Waits for all commands that the back end has received, and logs a failure of the wait.
  /// `submitted` is the number of submissions so far.
  virtual void wait_for_device(uint64_t submitted) = 0;

  /// Submits a command. It calls one of two functions, with mutex_ locked:
  ///   at_once(Tasks after, DeviceTask::Options&&)  submits it to the back end after these tasks,
  ///                                                and returns its task
  ///   deferred()                                   returns a Deferred that owns its data
  /// If they throw, the submission throws. The task ends after all earlier ones if `after_all`;
  /// `at_once` sees to the back end's. `report` is the one of a kernel that reports errors.
  template <class AtOnce, class Later>
  Event submit(const AtOnce& at_once, const Later& deferred, std::span<const Event> depends_on,
               std::unique_ptr<ErrorReport> report, bool after_all) {
    return submit(SubmissionOf<AtOnce, Later>(at_once, deferred), depends_on, std::move(report),
                  after_all);
  }
  /// Submits host work, which may itself wait for the device. `where` names it in errors.
  Event submit_work(std::function<void()> work, std::span<const Event> depends_on,
                    const char* where);
  /// For the destructor, while the back end's queue still exists: logs the failures of ended tasks.
  /// The others are passed to `unfinished` and kept until they end.
  void leave(const std::function<void(const std::shared_ptr<DeviceTask>&)>& unfinished = {});

  // Called with mutex_ locked:
  Dependencies sort(std::span<const Event> depends_on) const;
  template <class AtOnce>
  Event submit_at_once(const AtOnce& at_once, Dependencies dependencies,
                       std::unique_ptr<ErrorReport> report = nullptr) {
    return submitted_at_once(
        at_once(Tasks(dependencies.native), options_of(dependencies, std::move(report))));
  }
  std::vector<Event> open_host_tasks();
  uint64_t submitted() const noexcept { return submitted_; }
  /// Tasks whose error may be undetermined.
  const std::deque<std::shared_ptr<DeviceTask>>& may_fail() const noexcept { return may_fail_; }

  /// Whether the device computes on the host's cores. A thread that waits for a task then does so
  /// in the back end, where it may help, and Ctrl-C does not end the wait.
  bool on_host_cores_ = false;
  const uint64_t number_ = HostTask::new_queue_number();  ///< identifies the queue in this process
  const QueueProperties properties_;
  const std::shared_ptr<FailureLog> failures_;
  std::mutex mutex_;  ///< protects the order of submissions and the private members below

 private:
  /// The functions of a submission, on the caller's stack: nothing is allocated for a launch.
  struct Submission {
    virtual std::shared_ptr<DeviceTask> at_once(Tasks after,
                                                DeviceTask::Options&& options) const = 0;
    virtual Deferred deferred() const = 0;

   protected:
    ~Submission() = default;
  };
  template <class AtOnce, class Later>
  struct SubmissionOf final : Submission {
    SubmissionOf(const AtOnce& at_once, const Later& deferred) : now_(at_once), later_(deferred) {}
    std::shared_ptr<DeviceTask> at_once(Tasks after, DeviceTask::Options&& options) const override {
      return now_(after, std::move(options));
    }
    Deferred deferred() const override { return later_(); }
    const AtOnce& now_;
    const Later& later_;
  };

  Event submit(const Submission& submission, std::span<const Event> depends_on,
               std::unique_ptr<ErrorReport> report, bool after_all);
  /// Moves from `dependencies`.
  DeviceTask::Options options_of(Dependencies& dependencies,
                                 std::unique_ptr<ErrorReport> report) const;
  Event submitted_at_once(std::shared_ptr<DeviceTask> task);
  /// The state of an event as an own task of the back end, or null.
  const DeviceTask* own_task(const EventState& state) const noexcept {
    // Called several times in a launch: a dynamic_cast takes five times as long.
    if (typeid(state) != task_class_) return nullptr;
    const auto* task = static_cast<const DeviceTask*>(&state);
    return task->context() == context_ ? task : nullptr;
  }
  Event failed(const Error& error);
  void look_after(std::shared_ptr<DeviceTask> task);
  /// Unlocks `lock`.
  Event submit_to_host(std::unique_lock<std::mutex>& lock, HostTask::Work work,
                       std::span<const Event> depends_on, bool after_all);
  /// Host work whose exceptions and reported error become the task's error.
  HostTask::Work work_of(Deferred run, std::unique_ptr<ErrorReport> report,
                         const char* where) const;

  const std::type_info& task_class_;
  const void* const context_;
  Error (*const current_error_)(const char* where);
  uint64_t submitted_ = 0;
  std::shared_ptr<DeviceTask> last_;  ///< of an in-order queue, submitted at once
  /// Unfinished host tasks and some completed ones; in an in-order queue only the last one.
  std::vector<std::weak_ptr<HostTask>> host_tasks_;
  size_t sweep_at_ = 64;  ///< length at which completed ones are removed
  std::deque<std::shared_ptr<DeviceTask>> may_fail_;
};

}  // namespace hither::runtime
