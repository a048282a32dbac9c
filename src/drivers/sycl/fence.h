// Orders what a queue has got before what it will get, whoever submits.
#pragma once

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

/// A barrier of SYCL's waits for host tasks (dpnp ends each operation with one) before it reaches
/// the device. What follows it waits with it, except for copies, which SYCL lets pass. OpenCL's own
/// barrier is at the device at once, so nothing passes it. Elsewhere it is SYCL's.
void fence(::sycl::queue& queue);

}  // namespace hither::drivers::sycl
