#include "drivers/cuda/device_task.h"

#include <algorithm>

#include "error/current_error.h"
#include "runtime/host_threads.h"

namespace hither::drivers::cuda {

std::optional<runtime::ProfilingTimes> Marks::times() const noexcept {
  if (!start) return std::nullopt;
  runtime::ProfilingTimes times;
  times.start = Clock::time_of(*start, *anchor);
  times.end = std::max(times.start, Clock::time_of(*end, *anchor));
  times.submit = std::min(submitted, times.start);
  return times;
}

EventStatus DeviceTask::status() const noexcept {
  if (finished_.load(std::memory_order_acquire)) return EventStatus::kComplete;
  Progress* const progress = options_.progress.get();
  if (progress && progress->has_ended(options_.number)) return EventStatus::kComplete;
  if (progress && !options_.marks.start && progress->was_running(options_.number))
    return EventStatus::kSubmitted;
  const CUresult result = options_.marks.end->query();
  if (progress && result == kSuccess) {
    progress->note_ended(options_.number);
    progress->note_running(options_.number + 1);  // no later task is known to run
  }
  if (result != kNotReady) return EventStatus::kComplete;
  if (progress) progress->note_running(options_.number);
  const bool runs = options_.marks.start && options_.marks.start->query() == kSuccess;
  return runs ? EventStatus::kRunning : EventStatus::kSubmitted;
}

void DeviceTask::finish() const noexcept {
  if (finished_.load(std::memory_order_acquire)) return;
  std::lock_guard lock(mutex_);
  if (finished_.load(std::memory_order_relaxed)) return;
  const NativeEvent& end = *options_.marks.end;
  try {
    Progress* const progress = options_.progress.get();
    const bool ended = progress && progress->has_ended(options_.number);
    const CUresult result = ended ? kSuccess : end.wait();
    if (progress && result == kSuccess) progress->note_ended(options_.number);
    for (const Event& dependency : options_.depends_on)
      if (!error_) error_ = dependency.wait_for_error();
    if (!error_ && result == kSuccess && options_.report) error_ = options_.report->read();
    if (!error_ && result != kSuccess)
      error_ = end.context().failure(result, "cuEventSynchronize", "device task");
  } catch (...) {
    error_ = error::current_error("device task");
  }
  if (error_) options_.failures->add(options_.number, *error_);
  options_.depends_on.clear();
  options_.report.reset();
  finished_.store(true, std::memory_order_release);
}

const Error* DeviceTask::error() const noexcept {
  finish();
  return error_ ? &*error_ : nullptr;
}

std::optional<runtime::ProfilingTimes> DeviceTask::times() const noexcept {
  return options_.marks.times();
}

void DeviceTask::on_end(std::function<void()> then) {
  if (status() == EventStatus::kComplete) return then();
  runtime::HostThreads::process().run_after(shared_from_this(), std::move(then));
}

bool DeviceTask::follows(const runtime::EventState& earlier) const noexcept {
  const auto* task = of(earlier);
  return task && options_.progress && task->options_.queue == options_.queue &&
         task->options_.number < options_.number && !task->may_fail_;
}

}  // namespace hither::drivers::cuda
