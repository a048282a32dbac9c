#include "runtime/interruptible_wait.h"

#include "runtime/event_state.h"
#include "runtime/profile.h"
#include "target/interrupted.h"

namespace hither::runtime {

void throw_interrupted(const char* where) {
  throw target::interrupted(where,
                            "Ctrl-C ended the wait; the work goes on at the device, and later work "
                            "of the queue runs after it");
}

void wait_interruptibly(const Event& event) {
  const auto wait = [&] {
    if (!event.state()->wait_unless_interrupted()) throw_interrupted("Event.wait");
  };
  if (profiling::is_observed() && !event.is_complete()) [[unlikely]]
    profiled_wait("Event.wait", nullptr, wait);
  else if (event.state())
    wait();
  event.wait();
}

}  // namespace hither::runtime
