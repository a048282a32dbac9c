#include <hither/queue.h>

#include <string>

#include <hither/native.h>

#include "counting/counter.h"
#include "process/fault_point.h"
#include "runtime/context_state.h"
#include "runtime/device_queue.h"
#include "runtime/device_state.h"
#include "runtime/interruptible_wait.h"
#include "runtime/kernel_state.h"
#include "runtime/launch_check.h"
#include "runtime/profile.h"
#include "runtime/queue_state.h"
#include "runtime/transfer.h"
#include "runtime/unreported_failures.h"

namespace hither {
namespace {

std::shared_ptr<runtime::QueueState> make_state(const Context& context, const Device& device,
                                                QueueProperties properties) {
  auto state = std::make_shared<runtime::QueueState>(context, device, properties);
  state->device_index = context.state()->index_of(device);
  if (state->device_index < 0)
    throw Error(ErrorKind::kValue, "Queue",
                "device " + device.filter_string() + " is not in the context, which holds " +
                    context.devices()[0].filter_string() +
                    (context.devices().size() > 1 ? " and others" : ""));
  if (properties.enable_profiling && !device.has(Aspect::kQueueProfiling))
    throw Error(ErrorKind::kUnsupported, "Queue",
                device.filter_string() + " cannot profile; leave out enable_profiling");
  state->failures = std::make_shared<runtime::FailureLog>();
  state->driver =
      context.state()->driver->make_queue(device.state()->driver, properties, state->failures);
  runtime::report_failures_at_exit(state);
  return state;
}

}  // namespace

std::string runtime::describe(const Queue& queue) {
  const QueueProperties properties = queue.properties();
  std::string extra;
  if (!properties.in_order) extra = "out of order";
  if (properties.enable_profiling) extra += extra.empty() ? "profiling" : ", profiling";
  DeviceState& device = *queue.device().state();
  std::shared_ptr<ContextState> shared;
  {
    std::lock_guard lock(device.mutex);
    shared = device.default_context.lock();
  }
  if (shared != queue.context().state()) extra += extra.empty() ? "own context" : ", own context";
  return queue.device().filter_string() + (extra.empty() ? "" : " (" + extra + ")");
}

Queue::Queue(std::string_view filter, QueueProperties properties)
    : Queue(Device::select(filter), properties) {}
Queue::Queue(const Device& device, QueueProperties properties)
    : Queue(Context::default_for(device), device, properties) {}
Queue::Queue(const Context& context, const Device& device, QueueProperties properties)
    : state_(make_state(context, device, properties)) {}

Queue Queue::default_for(const Device& device) {
  runtime::DeviceState& d = *device.state();
  {
    std::lock_guard lock(d.mutex);
    if (auto known = d.default_queue.lock()) return Queue(std::move(known));
  }
  Queue made(device);  // locks d.mutex for the default context
  std::lock_guard lock(d.mutex);
  if (auto known = d.default_queue.lock()) return Queue(std::move(known));
  d.default_queue = made.state();
  if (!d.parent) d.kept_queue = made.state();
  return made;
}

Queue Queue::default_queue() { return default_for(Device::select_default()); }

const Device& Queue::device() const { return state_->device; }
const Context& Queue::context() const { return state_->context; }
QueueProperties Queue::properties() const { return state_->properties; }

bool Queue::equivalent(const Queue& other) const noexcept {
  const runtime::QueueState &a = *state_, &b = *other.state_;
  return &a == &b ||
         (a.context == b.context && a.device == b.device && a.properties == b.properties);
}

Event Queue::submit(const Kernel& kernel, const NdRange& range,
                    std::span<const std::byte> arguments, std::span<const Event> depends_on) const {
  runtime::check_launch(*state_, kernel, range, arguments);
  return runtime::submit_unchecked(*this, kernel, range, arguments, depends_on);
}

Event runtime::submit_unchecked(const Queue& queue, const Kernel& kernel, const NdRange& range,
                                std::span<const std::byte> arguments,
                                std::span<const Event> depends_on) {
  DriverQueue& driver = *queue.state()->driver;
  const int64_t items = range.global.items();
  if (items == 0) return driver.submit_host([] {}, depends_on);
  if (process::fails_here(process::Fault::kLaunch))
    throw Error(ErrorKind::kDevice, kernel.name(), "the device does not take the kernel");
  counting::count(counting::Counter::kLaunches);
  return profiled(queue, {profiling::Kind::kKernel, kernel.name(), items},
                  [&] { return driver.launch(kernel, range, arguments, depends_on); });
}

Event Queue::copy(void* to, const void* from, size_t bytes,
                  std::span<const Event> depends_on) const {
  if (bytes != 0 && (!to || !from))
    throw Error(ErrorKind::kValue, "Queue.copy",
                std::string(to ? "from" : "to") + " is a null pointer");
  // OpenCL would refuse a copy to the same address as an overlapping one.
  if (bytes == 0 || to == from) return state_->driver->submit_host([] {}, depends_on);
  if (process::fails_here(process::Fault::kCopy))
    throw Error(ErrorKind::kDevice, "Queue.copy", "the device does not take the copy");
  return runtime::profiled(*this, {profiling::Kind::kCopy, "copy", 0, static_cast<int64_t>(bytes)},
                           [&] { return runtime::transfer(*this, to, from, bytes, depends_on); });
}

Event Queue::fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                  std::span<const Event> depends_on) const {
  if (pattern_bytes != 1 && pattern_bytes != 2 && pattern_bytes != 4 && pattern_bytes != 8 &&
      pattern_bytes != 16)
    throw Error(ErrorKind::kValue, "Queue.fill",
                "the pattern has " + std::to_string(pattern_bytes) +
                    " bytes; it must have 1, 2, 4, 8 or 16");
  if (count == 0) return state_->driver->submit_host([] {}, depends_on);
  if (!to || !pattern)
    throw Error(ErrorKind::kValue, "Queue.fill",
                std::string(to ? "pattern" : "to") + " is a null pointer");
  if (process::fails_here(process::Fault::kCopy))
    throw Error(ErrorKind::kDevice, "Queue.fill", "the device does not take the fill");
  return runtime::profiled(
      *this,
      {profiling::Kind::kFill, "fill", static_cast<int64_t>(count),
       static_cast<int64_t>(count * pattern_bytes)},
      [&] { return state_->driver->fill(to, pattern, pattern_bytes, count, depends_on); });
}

Event Queue::prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) const {
  if (bytes == 0) return state_->driver->submit_host([] {}, depends_on);
  if (!address) throw Error(ErrorKind::kValue, "Queue.prefetch", "address is a null pointer");
  return state_->driver->prefetch(address, bytes, depends_on);
}

Event Queue::submit_host(std::function<void()> work, std::span<const Event> depends_on) const {
  if (!work) throw Error(ErrorKind::kValue, "Queue.submit_host", "work is empty");
  return runtime::profiled(*this, {profiling::Kind::kHostTask, "host task"}, [&] {
    return state_->driver->submit_host(std::move(work), depends_on);
  });
}

Event Queue::submit_barrier(std::span<const Event> depends_on) const {
  if (auto* const observer = runtime::WorkObserver::of_this_thread()) observer->submitted(*this);
  return state_->driver->submit_barrier(depends_on);
}

namespace {

/// Queue::wait(), preceded by first(driver queue).
template <typename First>
void wait_after(const Queue& queue, First&& first) {
  runtime::QueueState& state = *queue.state();
  runtime::profiled_wait("Queue.wait", &queue, [&] {
    first(*state.driver);
    wait_for_foreign_commands(queue);
    state.driver->wait();
  });
  if (auto error = state.failures->take_first()) throw *error;
}

}  // namespace

void Queue::wait() const {
  wait_after(*this, [](runtime::DriverQueue&) {});
}

void runtime::wait_interruptibly(const Queue& queue) {
  wait_after(queue, [](DriverQueue& driver) {
    auto* const of_device = dynamic_cast<DeviceQueue*>(&driver);
    if (of_device && !of_device->wait_for_last_unless_interrupted())
      throw_interrupted("Queue.wait");
  });
}

}  // namespace hither
