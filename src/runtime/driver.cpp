#include "runtime/driver.h"

namespace hither::runtime {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::kUnsupported, "stream", "the device's back end has no streams");
}

}  // namespace

Event DriverQueue::submit_native(std::function<void(void* stream)>, std::span<const Event>) {
  refuse();
}

void DriverQueue::let_wait(void*, std::span<const Event>) { refuse(); }

Event DriverQueue::end_of(void*) { refuse(); }

}  // namespace hither::runtime
