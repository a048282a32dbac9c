// Process exit while devices may still have work.
#pragma once

#include <memory>

#include <sycl/sycl.hpp>

#include "runtime/event_state.h"
#include "runtime/failure_log.h"

namespace hither::drivers::sycl {

/// OpenCL's runtimes abort if they are shut down while a task runs, or while a thread builds or
/// submits. So an exit handler, which runs before that shutdown, stops host tasks from starting,
/// blocks other threads from entering (InsideLibrary), and waits for the threads inside and the
/// tasks of every queue. Call it after the runtimes are loaded, because exit handlers run in
/// reverse order of registration.
void wait_for_queues_at_exit();

/// Registers a queue for the wait at exit. forget_queue() moves it to RetiredQueues. Thread-safe.
void remember_queue(const ::sycl::queue& queue);
void forget_queue(const ::sycl::queue& queue) noexcept;

/// Registers a task that outlives its queue: if it has failed at process exit, its log reports the
/// failure. Thread-safe.
void report_at_exit(std::shared_ptr<runtime::EventState> task,
                    std::shared_ptr<runtime::FailureLog> failures);

}  // namespace hither::drivers::sycl
