// Arrays whose memory is used by other libraries in their own CUDA streams.
#include <hither/stream.h>

#include "array/flush.h"
#include "array/graph/value.h"
#include "runtime/device_state.h"
#include "runtime/interruptible_wait.h"
#include "runtime/memory_state.h"
#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"

namespace hither {

using namespace array;

namespace {

runtime::QueueInterop* interop_of(const Queue& queue) { return queue.state()->driver->interop(); }

void share_memory(const Queue& queue) {
  if (auto* interop = interop_of(queue)) interop->share_memory();
}

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

void* native_stream(const Queue& queue) {
  const auto* interop = interop_of(queue);
  return interop ? interop->stream() : nullptr;
}

std::shared_ptr<const void> make_current(const Queue& queue) {
  const auto* interop = interop_of(queue);
  return interop ? interop->make_current() : nullptr;
}

namespace {

void* lend(const Array& x) {
  if (!(x.queue().context() == Context::default_for(x.device())))
    throw Error(ErrorKind::kBuffer, "array",
                "its queue has a context of its own, which other libraries do not use; "
                "x.to_device(device) copies it to the context that all libraries share");
  void* const data = x.data();
  const Value& value = x.storage()->present();
  // A task that was refused was not submitted to the queue, whose earlier tasks may still use the
  // memory.
  if (const Event written = value.written.event(); written.is_complete()) written.wait();
  share_memory(value.queue);
  value.memory.state()->is_lent.store(true, std::memory_order_release);
  return data;
}

}  // namespace

void* lend_when_ready(const Array& x) {
  void* const data = lend(x);
  Value& value = x.storage()->present();
  runtime::wait_interruptibly(value.written.event());
  std::vector<Event> reads;
  append_reads(value, reads);
  for (const Event& e : reads) (void)e.wait_for_error();
  return data;
}

void* lend_to_stream(const Array& x, void* stream) {
  void* const data = lend(x);
  Value& value = x.storage()->present();
  std::vector<Event> before{value.written.event()};
  append_reads(value, before);
  runtime::interop_of(*x.queue().state()->driver).make_native_wait(stream, before);
  return data;
}

void borrowed_from_stream(const Array& x, void* stream) {
  Value& value = x.storage()->present();
  share_memory(value.queue);
  if (!stream) return;
  value.written = runtime::interop_of(*value.queue.state()->driver).record_native_event(stream);
}

}  // namespace hither
