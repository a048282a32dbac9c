// Failures of tasks that nobody has asked for when the process ends.
#pragma once

#include <memory>

#include <hither/error.h>

namespace hither::runtime {

struct QueueState;

/// That an error has been raised to somebody who waits for a task or reads what it made.
HITHER_EXPORT void note_told(const Error& error) noexcept;

/// The failures of the queue's tasks that no wait and no read has raised go to stderr when the
/// process exits, if the queue is still there then. (FailureLog tells them when it is not.)
void report_failures_at_exit(const std::shared_ptr<QueueState>& queue);

}  // namespace hither::runtime
