// Arrays whose memory is used by other libraries in their own CUDA streams.
#include <hither/stream.h>

#include "array/flush.h"
#include "array/graph/value.h"
#include "runtime/device_state.h"
#include "runtime/memory_state.h"
#include "runtime/queue_state.h"

namespace hither {

using namespace array;

namespace {

runtime::DriverQueue& driver_of(const Queue& queue) { return *queue.state()->driver; }

}  // namespace

std::optional<int> cuda_number(const Device& device) {
  if (device.backend() != Backend::kCuda) return std::nullopt;
  return device.state()->driver->native_number();
}

std::optional<Device> cuda_device(int number) {
  for (const Device& device : Device::all())
    if (cuda_number(device) == number) return device;
  return std::nullopt;
}

void* native_stream(const Queue& queue) { return driver_of(queue).stream(); }

std::shared_ptr<const void> make_current(const Queue& queue) {
  return driver_of(queue).make_current();
}

void* lend_unordered(const Array& x) {
  if (!(x.queue().context() == Context::default_for(x.device())))
    throw Error(ErrorKind::kBuffer, "array",
                "its queue has a context of its own, which other libraries do not use; "
                "x.to_device(device) copies it to the context that all libraries share");
  void* const data = x.data();
  const Value& value = x.storage()->present();
  // A task that was refused was not submitted to the queue, whose earlier tasks may still use the
  // memory.
  if (const Event written = value.written.event(); written.is_complete()) written.wait();
  driver_of(value.queue).share_memory();
  value.memory.state()->is_lent.store(true, std::memory_order_release);
  return data;
}

void* lend_to_stream(const Array& x, void* stream) {
  void* const data = lend_unordered(x);
  Value& value = x.storage()->present();
  std::vector<Event> before{value.written.event()};
  append_reads(value, before);
  driver_of(x.queue()).make_native_wait(stream, before);
  return data;
}

void borrowed_from_stream(const Array& x, void* stream) {
  Value& value = x.storage()->present();
  runtime::DriverQueue& driver = driver_of(value.queue);
  driver.share_memory();
  if (stream) value.written = driver.record_native_event(stream);
}

}  // namespace hither
