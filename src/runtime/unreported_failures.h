// Failures of tasks that are unreported when the process ends.
#pragma once

#include <memory>

namespace hither::runtime {

struct QueueState;

/// When the process exits, failures of the queue's tasks that no wait and no read has raised are
/// written to stderr, also if the queue was destroyed earlier. A FailureLog that ends earlier
/// writes its own.
void report_failures_at_exit(const std::shared_ptr<QueueState>& queue);

}  // namespace hither::runtime
