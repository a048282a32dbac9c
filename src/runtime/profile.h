// Submissions and waits as events of a profile.
#pragma once

#include <string_view>

#include <hither/queue.h>

#include "profiling/ranges.h"
#include "profiling/record.h"
#include "runtime/work_observer.h"

namespace hither::runtime {

/// A task for a profile, which its submission describes.
struct ProfiledTask {
  profiling::Kind kind;
  std::string_view name;
  int64_t items = 0, bytes = 0;
};

/// A submission that is being recorded.
class RecordedSubmission {
 public:
  RecordedSubmission() noexcept;
  /// Appends the task, which has been submitted to `queue`, and has its end observed.
  void submitted(const Queue& queue, const ProfiledTask& task, const Event& event) noexcept;

 private:
  const uint64_t start_;
};

/// Calls submit(), which submits the task and returns its event. The thread's observer is told, a
/// running profile records it, and the call is a range in the profilers of others.
template <typename Submit>
Event profiled(const Queue& queue, const ProfiledTask& task, Submit&& submit) {
  if (WorkObserver* const observer = WorkObserver::of_this_thread()) observer->submitted(queue);
  if (!profiling::is_observed()) [[likely]]
    return submit();
  const profiling::Range range("", task.kind == profiling::Kind::kKernel
                                       ? profiling::KernelNaming::now(task.name)
                                       : task.name);
  RecordedSubmission recorded;
  Event event = submit();
  recorded.submitted(queue, task, event);
  return event;
}

/// Appends a wait that has begun at `start`; for a queue, if it was one.
void record_wait(std::string_view name, uint64_t start, const Queue* queue) noexcept;
/// Calls wait(), which blocks. A running profile records it, and the call is a range.
template <typename Wait>
void profiled_wait(std::string_view name, const Queue* queue, Wait&& wait) {
  if (!profiling::is_observed()) [[likely]]
    return wait();
  const profiling::Range range("", name);
  const uint64_t start = profiling::now();
  wait();
  record_wait(name, start, queue);
}

}  // namespace hither::runtime
