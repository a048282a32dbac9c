// dpctl.SyclQueue objects for libraries that accept no other class.
#pragma once

#include <hither/array.h>
#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// A dpctl.SyclQueue over the same sycl::queue, if dpctl is imported and the device is a SYCL
/// device; otherwise the hither.Queue. It is the same object as long as the queue lives.
nb::object dpctl_queue(const Queue& queue);

/// Makes hither wait for the work that dpctl tracks in a queue (runtime/foreign_work.h).
void watch_work_of_dpctl();

/// Whether dpnp is imported and can use the memory of `x`.
bool dpnp_takes(const Array& x);

}  // namespace hither::python
