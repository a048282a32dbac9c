// Python callables as host tasks of queues.
#pragma once

#include <atomic>

#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Submits work() as a host task in the queue's order. An exception of work() becomes the event's
/// Error kKernel. Needs the GIL, and releases it during the submission.
Event submit_python(const Queue& queue, nb::callable work, std::span<const Event> depends_on);

/// Number of such tasks that are submitted and not complete, plus one after expect_host_tasks().
extern std::atomic<int64_t> python_work;

/// Records that other libraries submit host tasks that take the GIL (dpctl's release the arguments
/// of a kernel). From then on threads that submit or wait release the GIL. Needs the GIL.
void expect_host_tasks();
bool expects_host_tasks();

/// Whether there may be such tasks. A thread that submits or waits must then release the GIL, or
/// the tasks would never run. One relaxed load.
inline bool python_work_pending() noexcept {
  return python_work.load(std::memory_order_relaxed) != 0;
}

}  // namespace hither::python
