// Orders what a queue has got before what it will get, whoever submits.
#pragma once

#include <vector>

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

// A barrier of SYCL's waits for host tasks (dpctl's take the GIL) before it reaches the device. The
// kernels that follow it wait with it, and copies pass it. So who waits for such a kernel with the
// GIL held, as dpnp's functions of oneMKL do, waits for ever. OpenCL's own barriers are at the
// device at once: nothing passes them, and they wait for nothing of the host. Out-of-order queues
// of OpenCL's get those, others SYCL's.

/// Whether OpenCL's are used in the queue.
bool is_fenced_by_opencl(const ::sycl::queue& queue);

/// What follows comes after what is there; in-order queues do so by themselves.
void fence(::sycl::queue& queue);

/// What follows comes after these events too, which are at the device (is_at_device()).
void make_queue_wait(::sycl::queue& queue, const std::vector<::sycl::event>& events);

/// A fence that ends when all has that is there. With OpenCL's that is what is at the device,
/// without the host tasks of others and what SYCL holds back behind them.
::sycl::event all_so_far(::sycl::queue& queue);

/// Whether the device knows the command: it is no host task, and SYCL does not hold it back.
bool is_at_device(const ::sycl::event& event);

}  // namespace hither::drivers::sycl
