#include "runtime/transfer.h"

#include "counting/counter.h"
#include "runtime/context_state.h"
#include "runtime/device_state.h"
#include "runtime/queue_state.h"
#include "runtime/registry.h"

namespace hither::runtime {
namespace {

/// Whether any device of the process has memory that host code cannot read.
bool has_distant_memory() {
  static const bool has = [] {
    for (const Device& device : Registry::process().devices())
      if (!device.state()->facts().device_usm_is_host_memory) return true;
    return false;
  }();
  return has;
}

/// The owner of device USM that is not host memory and belongs to another context than the queue's.
/// Only such memory may be inaccessible to the queue.
struct Owner {
  Device device;
  bool is_pool;  ///< of the device's default context, else another library
};

std::optional<Owner> distant_owner(const void* pointer, const Queue& queue) {
  if (!has_distant_memory()) return std::nullopt;
  for (const Device& device : Registry::process().devices()) {
    if (device.state()->facts().device_usm_is_host_memory) continue;
    const Context context = Context::default_for(device);
    if (context == queue.context()) continue;
    const auto info = pointer_info(pointer, context);
    if (info && info->type == UsmType::kDevice)
      return Owner{info->device, context.state()->driver->find(pointer).has_value()};
  }
  return std::nullopt;
}

/// `then` accesses memory that `first` still uses. If submitting `then` throws, wait for `first`,
/// because no caller has its event.
template <class Then>
auto after(const Event& first, Then then) {
  try {
    return then();
  } catch (...) {
    first.state()->wait();
    throw;
  }
}

}  // namespace

Event transfer(const Queue& queue, void* to, const void* from, size_t bytes,
               std::span<const Event> depends_on) {
  using counting::Counter;
  DriverQueue& driver = *queue.state()->driver;
  const auto count = [&](Counter way) { counting::count(way, static_cast<int64_t>(bytes)); };
  const auto reaches = [&](const Owner& other) {
    return other.is_pool && driver.reaches(*other.device.state()->driver);
  };
  const auto source = distant_owner(from, queue), sink = distant_owner(to, queue);

  if (source && !reaches(*source)) {
    const Queue reader = Queue::default_for(source->device);
    const Memory middle(reader, bytes, UsmType::kHost);
    count(Counter::kBytesToHost);
    const Event read = reader.state()->driver->copy(middle.data(), from, bytes, depends_on);
    middle.release_after(read);
    return after(read, [&] {
      const Event written = transfer(queue, to, middle.data(), bytes, std::span(&read, 1));
      middle.release_after(written);
      return written;
    });
  }
  const bool to_usm = sink || pointer_info(to, queue.context());
  const bool from_usm = source || pointer_info(from, queue.context());
  if (sink && !reaches(*sink)) {
    const Queue writer = Queue::default_for(sink->device);
    const Memory middle(queue, bytes, UsmType::kHost);
    if (from_usm) count(Counter::kBytesToHost);
    const Event read = driver.copy(middle.data(), from, bytes, depends_on);
    middle.release_after(read);
    return after(read, [&] {
      count(Counter::kBytesToDevice);
      const Event written =
          writer.state()->driver->copy(to, middle.data(), bytes, std::span(&read, 1));
      middle.release_after(written);
      // The write is in another queue, and later submissions to this queue must run after it.
      return after(written, [&] { return driver.submit_barrier(std::span(&written, 1)); });
    });
  }
  if (to_usm != from_usm) count(to_usm ? Counter::kBytesToDevice : Counter::kBytesToHost);
  return driver.copy(to, from, bytes, depends_on);
}

}  // namespace hither::runtime
