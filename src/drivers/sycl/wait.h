// Waiting for tasks of SYCL.
#pragma once

#include <mutex>

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

// By SYCL, whose waits help to run tasks where they are a CPU's, in one thread of the process;
// others ask until that one is done. Of two threads that wait in Intel's OpenCL, one for an
// out-of-order queue, one can come to run the other's wait inside of its own, where both end.

/// While SYCL holds the task back behind a host task, as oneMKL's on CPUs are, every thread asks:
/// SYCL's own wait keeps its graph locked meanwhile, so that whoever submits with the GIL held, as
/// dpnp does, would wait for that lock, host tasks of dpnp's before it for the GIL, and so nobody
/// would go on. `shared`: other libraries submit to the task's queue too, and wait for it out of
/// turn; then this thread asks to the end.
void wait_for(::sycl::event& event, bool shared);

/// The turn to wait in SYCL, unless another thread has it: for what waits inside, as the end of a
/// queue does.
std::unique_lock<std::mutex> try_lock_wait();

/// Until the device knows the command (fence.h) or it has ended, as host tasks do unknown to it.
void wait_until_at_device(const ::sycl::event& event);

}  // namespace hither::drivers::sycl
