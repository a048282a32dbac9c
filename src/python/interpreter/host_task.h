// Python callables that queues run.
#pragma once

#include <atomic>

#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Submits work() to run on the host in the queue's order; what it raises is the event's Error
/// kKernel. Needs the GIL, and lets it go while it submits.
Event submit_python(const Queue& queue, nb::callable work, std::span<const Event> depends_on);

/// How much such work is submitted and not done; one more once other libraries' is expected.
extern std::atomic<int64_t> python_work;

/// Other libraries put host tasks that take the GIL into their queues: dpctl's let go of a kernel's
/// arguments so. From now on whoever submits or waits lets the GIL go. Under the GIL.
void expect_host_tasks();
bool expects_host_tasks();

/// Whether there is any: then whoever submits or waits has to let the GIL go, or the work would
/// never run. One plain load.
inline bool python_work_pending() noexcept {
  return python_work.load(std::memory_order_relaxed) != 0;
}

}  // namespace hither::python
