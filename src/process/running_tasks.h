// The tasks that threads of this process run, for fork().
//
// A child of fork() has only the thread that called it. What other threads were running in the
// parent does not go on in the child.
#pragma once

#include <atomic>

#include <hither/export.h>

namespace hither::process {

/// Counts a task while the calling thread runs it.
class RunningTask {
 public:
  RunningTask() noexcept;
  ~RunningTask();
  RunningTask(const RunningTask&) = delete;
  RunningTask& operator=(const RunningTask&) = delete;
};

/// The number of tasks that other threads of this process are running.
HITHER_EXPORT int tasks_of_other_threads() noexcept;

/// A number that differs between a process and its children of fork().
int fork_generation() noexcept;

}  // namespace hither::process
