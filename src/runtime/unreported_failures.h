// Failures of tasks that are unreported when the process ends.
#pragma once

#include <memory>

#include <hither/error.h>

namespace hither::runtime {

struct QueueState;

/// Marks an error as reported: a wait for a task, or a read of its results, has raised it.
HITHER_EXPORT void note_reported(const Error& error) noexcept;

/// When the process exits, failures of the queue's tasks that no wait and no read has raised are
/// written to stderr. For a queue that is destroyed earlier, its FailureLog writes them.
void report_failures_at_exit(const std::shared_ptr<QueueState>& queue);

}  // namespace hither::runtime
