// Work that other libraries submit to a queue which they share with hither, for the bindings.
#pragma once

#include <atomic>
#include <span>

#include <hither/queue.h>

namespace hither::runtime {

/// Calls wait_for_foreign_events() with the events that dpctl has recorded for the queue. The
/// Python module sets it; null without one.
HITHER_EXPORT extern std::atomic<void (*)(const Queue& queue)> wait_for_dpctl_commands;

/// QueueInterop::may_delay_foreign_commands() of the queue.
HITHER_EXPORT bool may_delay_foreign_commands(const Queue& queue) noexcept;
/// QueueInterop::wait_for_foreign_commands() of the queue. Call it without locks and without the
/// GIL.
HITHER_EXPORT void wait_for_foreign_events(const Queue& queue, std::span<const void* const> events);

}  // namespace hither::runtime
