#include "drivers/cuda/device_task.h"

#include <algorithm>

namespace hither::drivers::cuda {

std::optional<runtime::ProfilingTimes> Marks::times() const noexcept {
  if (!start) return std::nullopt;
  runtime::ProfilingTimes times;
  times.start = Clock::time_of(*start, *anchor);
  times.end = std::max(times.start, Clock::time_of(*end, *anchor));
  times.submit = std::min(submitted, times.start);
  return times;
}

EventStatus CudaTask::status() const noexcept {
  if (is_finished()) return EventStatus::kComplete;
  Progress* const progress = progress_.get();
  if (progress && progress->has_ended(number())) return EventStatus::kComplete;
  if (progress && !marks_.start && progress->was_running(number())) return EventStatus::kSubmitted;
  const CUresult result = marks_.end->query();
  if (progress && result == kSuccess) {
    progress->note_ended(number());
    progress->note_running(number() + 1);  // no later task is known to run
  }
  if (result != kNotReady) return EventStatus::kComplete;
  if (progress) progress->note_running(number());
  const bool runs = marks_.start && marks_.start->query() == kSuccess;
  return runs ? EventStatus::kRunning : EventStatus::kSubmitted;
}

bool CudaTask::has_ended() const noexcept {
  if (progress_ && progress_->has_ended(number())) return true;
  const CUresult result = marks_.end->query();
  if (progress_ && result == kSuccess) progress_->note_ended(number());
  return result != kNotReady;
}

void CudaTask::wait_for_end() const {
  const bool ended = progress_ && progress_->has_ended(number());
  result_ = ended ? kSuccess : marks_.end->wait();
  if (progress_ && result_ == kSuccess) progress_->note_ended(number());
}

std::optional<Error> CudaTask::native_error() const {
  if (result_ == kSuccess) return std::nullopt;
  return marks_.end->context().failure(result_, "cuEventSynchronize", "device task");
}

}  // namespace hither::drivers::cuda
