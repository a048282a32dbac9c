// Python callables that queues run.
#pragma once

#include <hither/queue.h>

#include "python/bindings.h"

namespace hither::python {

/// Submits work() to run on the host in the queue's order; what it raises is the event's Error
/// kKernel. Needs the GIL, and lets it go while it submits.
Event submit_python(const Queue& queue, nb::callable work, std::span<const Event> depends_on);

/// Whether any such work is submitted and not done: then whoever waits has to let the GIL go, or
/// the work would never run. One atomic load.
bool python_work_pending() noexcept;

}  // namespace hither::python
