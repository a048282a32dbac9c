// Waiting in queues that other libraries submit to.
#pragma once

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

/// Waits for a task that SYCL may hold back behind another library's host task. SYCL's own wait
/// keeps its graph locked meanwhile: whoever submits with the GIL held, as dpnp does, would wait
/// for that lock, the host task for the GIL, and so nobody would go on. This one asks again and
/// again.
void wait_shared(::sycl::event& event);

}  // namespace hither::drivers::sycl
