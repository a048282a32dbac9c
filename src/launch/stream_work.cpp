// Work of other libraries in a native stream or queue.
#include <hither/stream.h>

#include <fmt/format.h>

#include "launch/array_use.h"
#include "runtime/event_state.h"
#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"

namespace hither {
namespace {

runtime::QueueInterop& with_native_queue(const Queue& queue) {
  runtime::QueueInterop* const interop = queue.state()->driver->interop();
  if (interop && interop->native_queue()) return *interop;
  throw Error(ErrorKind::kUnsupported, "Queue.submit_native",
              fmt::format("{} has no queue that a library can put work into; CUDA and SYCL devices "
                          "have",
                          queue.device().filter_string()));
}

void check(const Array& x, const Queue& queue) {
  if (!x.is_c_contiguous())
    throw Error(ErrorKind::kValue, "Queue.submit_native",
                "takes dense arrays in C order; hither.copy(x) makes one of a view");
  if (x.queue().context() == queue.context()) return;
  throw Error(ErrorKind::kPlacement, "Queue.submit_native",
              fmt::format("an array is on {}, which {} does not reach; move it with to_device()",
                          x.device().filter_string(), queue.device().filter_string()));
}

}  // namespace

struct StreamWork::State {
  Queue queue;
  runtime::QueueInterop& interop;
  launch::ArrayUses uses;
  std::vector<void*> addresses;
  std::shared_ptr<const void> current;

  State(const Queue& q, std::span<const Array> reads, std::span<const Array> writes,
        std::span<const Event> depends_on)
      : queue(q), interop(with_native_queue(q)), uses(depends_on, reads.size() + writes.size()) {
    for (const Array& x : reads) check(x, queue);
    for (const Array& x : writes) check(x, queue);
    for (const Array& x : writes) uses.own(x);
    for (const Array& x : reads) addresses.push_back(uses.begin(x, false));
    for (const Array& x : writes) addresses.push_back(uses.begin(x, true));
    for (const Event& event : uses.dependencies())
      if (event.is_complete() && event.state()->error()) throw *event.state()->error();
    interop.make_native_wait(interop.native_queue(), uses.dependencies());
    current = interop.make_current();
  }
};

StreamWork::StreamWork(const Queue& queue, std::span<const Array> reads,
                       std::span<const Array> writes, std::span<const Event> depends_on)
    : state_(std::make_unique<State>(queue, reads, writes, depends_on)) {}

StreamWork::~StreamWork() {
  try {
    if (state_) (void)end();
  } catch (...) {  // the context is lost
  }
}

void* StreamWork::stream() const noexcept { return state_->interop.native_queue(); }

std::span<void* const> StreamWork::addresses() const noexcept { return state_->addresses; }

Event StreamWork::end() {
  const auto state = std::move(state_);
  // If earlier work failed, this fails too.
  std::vector<Event> before(state->uses.dependencies().begin(), state->uses.dependencies().end());
  before.push_back(state->interop.record_native_event(state->interop.native_queue()));
  Event event = state->queue.submit_barrier(before);
  state->uses.end(event);
  return event;
}

}  // namespace hither
