// Work that other libraries submit to a queue which they share with hither, for the bindings.
#pragma once

#include <atomic>
#include <span>

#include <hither/queue.h>

namespace hither::runtime {

/// Passes the events of the queue's work that dpctl knows to await_foreign_events(). The Python
/// module sets it; null without one.
HITHER_EXPORT extern std::atomic<void (*)(const Queue& queue)> await_work_of_dpctl;

/// Whether the back end may hold back work of other libraries until a barrier of hither's waits for
/// it (DriverQueue::may_hold_back_others()).
HITHER_EXPORT bool may_hold_back_foreign_work(const Queue& queue) noexcept;
/// Waits until none of these events of the back end (sycl::event*) is held back. Call it under no
/// lock and without the GIL.
HITHER_EXPORT void await_foreign_events(const Queue& queue, std::span<const void* const> events);

}  // namespace hither::runtime
