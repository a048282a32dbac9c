#include "runtime/foreign_work.h"

#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"

namespace hither::runtime {

std::atomic<void (*)(const Queue& queue)> wait_for_dpctl_commands{nullptr};

bool may_delay_foreign_commands(const Queue& queue) noexcept {
  const QueueInterop* interop = queue.state()->driver->interop();
  return interop && interop->may_delay_foreign_commands();
}

void wait_for_foreign_events(const Queue& queue, std::span<const void* const> events) {
  if (QueueInterop* interop = queue.state()->driver->interop())
    interop->wait_for_foreign_commands(events);
}

}  // namespace hither::runtime
