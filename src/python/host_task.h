// Python callables that queues run.
#pragma once

#include <atomic>

#include <hither/queue.h>

#include "python/bindings.h"

namespace hither::python {

/// Submits work() to run on the host in the queue's order; what it raises is the event's Error
/// kKernel. Needs the GIL, and lets it go while it submits.
Event submit_python(const Queue& queue, nb::callable work, std::span<const Event> depends_on);

/// How much such work is submitted and not done; one more once other libraries share queues.
extern std::atomic<int64_t> python_work;

/// Whether there is any: then whoever submits or waits has to let the GIL go, or the work would
/// never run. One plain load.
inline bool python_work_pending() noexcept {
  return python_work.load(std::memory_order_relaxed) != 0;
}

}  // namespace hither::python
