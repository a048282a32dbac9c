#include "runtime/foreign_work.h"

#include "runtime/queue_state.h"

namespace hither::runtime {

std::atomic<void (*)(const Queue& queue)> await_work_of_dpctl{nullptr};

bool may_hold_back_foreign_work(const Queue& queue) noexcept {
  return queue.state()->driver->may_hold_back_others();
}

void await_foreign_events(const Queue& queue, std::span<const void* const> events) {
  queue.state()->driver->await_others(events);
}

}  // namespace hither::runtime
