#include "runtime/device_queue.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "process/interruption.h"
#include "runtime/host_threads.h"

namespace hither::runtime {
namespace {

/// The limit of tasks with undetermined errors; beyond it the queue waits for the oldest.
constexpr size_t kMostUndetermined = 512;
/// How long the end of a process waits for a queue's kernels. They may be endless.
constexpr std::chrono::seconds kMostWait(1);

}  // namespace

DeviceQueue::Dependencies DeviceQueue::sort(std::span<const Event> depends_on) const {
  Dependencies sorted;
  for (const Event& event : depends_on) {
    if (!event.state()) continue;
    const DeviceTask* const task = own_task(*event.state());
    const bool is_earlier = task && properties_.in_order && task->queue() == number_;
    if (is_earlier && !task->may_fail()) continue;
    if (event.is_complete()) {
      const Error* error = event.state()->error();
      if (error && !sorted.failed) sorted.failed = *error;
      continue;
    }
    if (!task || (!is_earlier && !is_at_device(*task))) {
      sorted.host = true;
      continue;
    }
    if (!is_earlier) sorted.native.push_back(task);
    if (task->may_fail()) sorted.may_fail.push_back(event);
  }
  return sorted;
}

std::vector<Event> DeviceQueue::open_host_tasks() {
  std::vector<Event> open;
  for (const auto& weak : host_tasks_) {
    auto task = weak.lock();
    if (task && task->status() != EventStatus::kComplete) open.emplace_back(std::move(task));
  }
  if (open.empty()) host_tasks_.clear();
  return open;
}

Event DeviceQueue::failed(const Error& error) {
  failures_->add(submitted_++, error);
  std::optional<ProfilingTimes> times;
  const uint64_t now = properties_.enable_profiling ? now_nanoseconds() : 0;
  if (properties_.enable_profiling) times = ProfilingTimes{now, now, now};
  return Event(std::make_shared<EndedEvent>(error, times));
}

Event DeviceQueue::submit(const Submission& submission, std::span<const Event> depends_on,
                          std::unique_ptr<ErrorReport> report, bool after_all) {
  std::unique_lock lock(mutex_);
  Dependencies dependencies = sort(depends_on);
  if (!dependencies.failed) dependencies.failed = fault();
  if (dependencies.failed) return failed(*dependencies.failed);
  const bool held =
      dependencies.host || ((properties_.in_order || after_all) && !open_host_tasks().empty());
  if (!held)
    return submitted_at_once(
        submission.at_once(dependencies.native, options_of(dependencies, std::move(report))));
  return submit_to_host(lock, work_of(submission.deferred(), std::move(report), "Queue"),
                        depends_on, after_all);
}

DeviceTask::Options DeviceQueue::options_of(Dependencies& dependencies,
                                            std::unique_ptr<ErrorReport> report) const {
  return {.failures = failures_,
          .number = submitted_,
          .queue = number_,
          .in_order = properties_.in_order,
          .on_host_cores = on_host_cores_,
          .context = context_,
          .report = std::move(report),
          .depends_on = std::move(dependencies.may_fail)};
}

Event DeviceQueue::submitted_at_once(std::shared_ptr<DeviceTask> task) {
  ++submitted_;
  if (properties_.in_order) last_ = task;
  if (task->may_fail()) look_after(task);
  return Event(std::move(task));
}

void DeviceQueue::look_after(std::shared_ptr<DeviceTask> task) {
  may_fail_.push_back(std::move(task));
  while (may_fail_.front()->status() == EventStatus::kComplete ||
         may_fail_.size() > kMostUndetermined) {
    may_fail_.front()->wait();
    may_fail_.pop_front();
    if (may_fail_.empty()) return;
  }
}

HostTask::Work DeviceQueue::work_of(Deferred run, std::unique_ptr<ErrorReport> report,
                                    const char* where) const {
  return [run = std::move(run), report = std::shared_ptr<ErrorReport>(std::move(report)),
          current_error = current_error_, where](ProfilingTimes& times) -> std::optional<Error> {
    try {
      run(times);
      return report ? report->read() : std::nullopt;
    } catch (...) {
      return current_error(where);
    }
  };
}

Event DeviceQueue::submit_to_host(std::unique_lock<std::mutex>& lock, HostTask::Work work,
                                  std::span<const Event> depends_on, bool after_all) {
  std::vector<Event> after;
  if (properties_.in_order || after_all) after = open_host_tasks();
  if (properties_.in_order) {
    if (after.empty() && last_) after.emplace_back(last_);
    host_tasks_.clear();  // the last one ends last
  }
  auto task =
      std::make_shared<HostTask>(HostTask::Options{.failures = failures_,
                                                   .number = submitted_++,
                                                   .profiling = properties_.enable_profiling,
                                                   .queue = number_},
                                 std::move(work));
  if (host_tasks_.size() >= sweep_at_) {
    std::erase_if(host_tasks_, [](const std::weak_ptr<HostTask>& weak) {
      const auto known = weak.lock();
      return !known || known->status() == EventStatus::kComplete;
    });
    sweep_at_ = std::max<size_t>(64, 2 * host_tasks_.size());
  }
  host_tasks_.push_back(task);
  lock.unlock();
  task->submit({depends_on.begin(), depends_on.end()}, std::move(after));
  return Event(std::move(task));
}

Event DeviceQueue::submit_work(std::function<void()> work, std::span<const Event> depends_on,
                               const char* where) {
  std::unique_lock lock(mutex_);
  if (Dependencies dependencies = sort(depends_on); dependencies.failed)
    return failed(*dependencies.failed);
  return submit_to_host(
      lock, work_of([work = std::move(work)](ProfilingTimes&) { work(); }, nullptr, where),
      depends_on, false);
}

Event DeviceQueue::submit_host(std::function<void()> work, std::span<const Event> depends_on) {
  return submit_work(std::move(work), depends_on, "host task");
}

void DeviceQueue::wait() {
  if (HostTask::runs_here(number_)) return;  // the wait would deadlock
  std::vector<Event> open;
  uint64_t submitted = 0;
  {
    std::lock_guard lock(mutex_);
    open = open_host_tasks();
    submitted = submitted_;
  }
  for (const Event& task : open) task.state()->wait();
  wait_for_device(submitted);
  std::deque<std::shared_ptr<DeviceTask>> ended;
  {
    std::lock_guard lock(mutex_);
    ended.swap(may_fail_);
  }
  for (const auto& task : ended) task->wait();
}

bool DeviceQueue::wait_for_last_unless_interrupted() {
  if (on_host_cores_ || !process::this_thread_is_interruptible()) return true;
  Event last;
  {
    std::lock_guard lock(mutex_);
    if (!open_host_tasks().empty()) return true;
    last = Event(last_);
  }
  if (!properties_.in_order) last = submit_barrier({});
  return !last.state() || last.state()->wait_unless_interrupted();
}

void DeviceQueue::log_ended_failures() noexcept {
  const auto end = std::chrono::steady_clock::now() + kMostWait;
  std::lock_guard lock(mutex_);
  for (const auto& task : may_fail_) {
    while (task->status() != EventStatus::kComplete && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (task->status() == EventStatus::kComplete) task->wait();
  }
}

void DeviceQueue::leave(const std::function<void(const std::shared_ptr<DeviceTask>&)>& unfinished) {
  for (auto& task : may_fail_) {
    if (task->status() == EventStatus::kComplete) {
      task->wait();
      continue;
    }
    if (unfinished) unfinished(task);
    HostThreads::process().run_after(std::move(task), [] {});  // its error record is still in use
  }
  may_fail_.clear();
  last_.reset();
}

}  // namespace hither::runtime
