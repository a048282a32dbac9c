// Fences, which order all earlier commands of a queue before all later ones, of any library.
#pragma once

#include <vector>

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

// A SYCL barrier waits on the host for host tasks (dpctl's take the GIL) before it reaches the
// device. Kernels that follow it wait with it; copies overtake it. A thread that holds the GIL
// while it waits for such a kernel, as dpnp does in oneMKL's functions, therefore deadlocks.
// OpenCL's own barriers reach the device at once: no command overtakes them, and they wait for
// nothing on the host. Out-of-order OpenCL queues use OpenCL's barriers, other queues SYCL's.

/// Whether the queue uses OpenCL's barriers.
bool is_fenced_by_opencl(const ::sycl::queue& queue);

/// Orders later commands after all earlier ones. In-order queues need no fence.
void fence(::sycl::queue& queue);

/// Orders later commands after these events too, which the device has received (is_at_device()).
void make_queue_wait(::sycl::queue& queue, const std::vector<::sycl::event>& events);

/// Submits a fence and returns its event, which ends after all earlier commands. OpenCL's barrier
/// covers only commands that the device has received: not the host tasks of other libraries, nor
/// commands that SYCL delays behind them.
::sycl::event submit_fence(::sycl::queue& queue);

/// Whether the device has received the command: it is not a host task, and SYCL does not delay it.
bool is_at_device(const ::sycl::event& event);

}  // namespace hither::drivers::sycl
