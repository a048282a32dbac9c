// The end of the process, while the device may still have work.
#pragma once

#include <memory>

#include <sycl/sycl.hpp>

#include "runtime/event_state.h"
#include "runtime/failure_log.h"

namespace hither::drivers::sycl {

/// OpenCL's runtimes abort when they are taken down under a running task, or under a thread that
/// builds or submits. So at exit, before that, no more host tasks begin, no thread comes in any
/// more (InsideRuntime), and the tasks of every queue and the threads inside are waited for. Called
/// once the runtimes are loaded, since what is registered last runs first.
void wait_for_queues_at_exit();

/// A queue that is or was in use: forget_queue() keeps it as RetiredQueues says. Thread-safe.
void remember_queue(const ::sycl::queue& queue);
void forget_queue(const ::sycl::queue& queue) noexcept;

/// A task whose queue has gone before it ended: should it have failed when the process ends, its
/// log tells it. Thread-safe.
void tell_at_exit(std::shared_ptr<runtime::EventState> task,
                  std::shared_ptr<runtime::FailureLog> failures);

}  // namespace hither::drivers::sycl
