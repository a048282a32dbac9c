// Waits that Ctrl-C ends, for calls from Python.
#pragma once

#include <hither/event.h>
#include <hither/queue.h>

namespace hither::runtime {

/// Throws target::interrupted() for a wait that Ctrl-C has ended.
[[noreturn]] HITHER_EXPORT void throw_interrupted(const char* where);

/// Event::wait(). Calls throw_interrupted() if Ctrl-C ended the wait (see
/// EventState::wait_unless_interrupted()). The task then goes on, so the memory that it uses has to
/// stay.
HITHER_EXPORT void wait_interruptibly(const Event& event);

/// Queue::wait(), likewise.
HITHER_EXPORT void wait_interruptibly(const Queue& queue);

}  // namespace hither::runtime
