// Waiting for tasks of SYCL.
#pragma once

#include <mutex>

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

// One thread of the process at a time waits inside SYCL, where waits for CPU tasks help to run
// them; other threads poll meanwhile. If two threads waited in Intel's OpenCL, one of them for an
// out-of-order queue, one could run the other's wait inside its own, and both would deadlock.

/// While SYCL delays the task behind a host task, as it does on CPUs for oneMKL, every thread
/// polls. SYCL's own wait would keep its graph locked meanwhile: a thread that submits with the GIL
/// held, as dpnp does, would wait for that lock, and dpnp's earlier host tasks for the GIL, which
/// is a deadlock. `shared`: other libraries submit to the task's queue and wait for it without this
/// lock; then this thread polls until the end.
void wait_for(::sycl::event& event, bool shared);

/// Tries to lock the right to wait inside SYCL: for calls that wait implicitly, such as the
/// destruction of a queue.
std::unique_lock<std::mutex> try_lock_wait();

/// Waits until the device has received the command (fence.h) or the command has ended. Host tasks
/// end without reaching the device.
void wait_until_at_device(const ::sycl::event& event);

}  // namespace hither::drivers::sycl
