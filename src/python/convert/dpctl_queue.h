// Queues as dpctl's own objects, for libraries that take no others.
#pragma once

#include <hither/array.h>
#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// A dpctl.SyclQueue that shares SYCL's queue with `queue`, where dpctl is imported and the device
/// is SYCL's, the same object as long as the queue lives; else the hither.Queue.
nb::object dpctl_queue(const Queue& queue);

/// Lets hither wait for what dpctl knows to be under way in a queue (runtime/native_objects.h).
void watch_work_of_dpctl();

/// Whether dpnp is imported and can have the memory of `x`.
bool dpnp_takes(const Array& x);

}  // namespace hither::python
