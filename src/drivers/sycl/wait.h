// Waiting for tasks of SYCL.
#pragma once

#include <mutex>

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

// By SYCL, whose waits help to run tasks where they are a CPU's, in one thread of the process;
// others ask until that one is done. Of two threads that wait in Intel's OpenCL, one for an
// out-of-order queue, one can come to run the other's wait inside of its own, where both end.

/// `shared`: other libraries submit to the task's queue too, and SYCL may hold it back behind a
/// host task of theirs. Then this thread asks as well: SYCL's own wait keeps its graph locked
/// meanwhile, so that whoever submits with the GIL held, as dpnp does, would wait for that lock,
/// the host task for the GIL, and so nobody would go on.
void wait_for(::sycl::event& event, bool shared);

/// The turn to wait in SYCL, unless another thread has it: for what waits inside, as the end of a
/// queue does.
std::unique_lock<std::mutex> try_turn();

/// Until the device knows the command (fence.h) or it has ended, as host tasks do unknown to it.
void wait_while_held_back(const ::sycl::event& event);

}  // namespace hither::drivers::sycl
