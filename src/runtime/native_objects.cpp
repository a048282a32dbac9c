#include "runtime/native_objects.h"

#include <algorithm>
#include <mutex>

#include <hither/native.h>

#include "runtime/context_state.h"
#include "runtime/device_state.h"
#include "runtime/foreign_work.h"
#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"
#include "runtime/registry.h"
#include "runtime/unreported_failures.h"

namespace hither {

namespace {

using runtime::ContextState;
using runtime::DeviceState;
using runtime::NativeObjects;
using runtime::QueueState;

/// The queues and contexts that are shared with other libraries, so that adopting one again gives
/// the same object.
struct Exchanged {
  std::mutex mutex;
  std::vector<std::weak_ptr<QueueState>> queues;
  std::vector<std::weak_ptr<ContextState>> contexts;

  static Exchanged& process() {
    static Exchanged& exchanged = *new Exchanged;
    return exchanged;
  }
};

template <class State>
void remember(std::vector<std::weak_ptr<State>>& known, const std::shared_ptr<State>& state) {
  std::erase_if(known, [](const auto& weak) { return weak.expired(); });
  const auto same = [&](const auto& weak) { return weak.lock() == state; };
  if (std::none_of(known.begin(), known.end(), same)) known.push_back(state);
}

/// The first living one that `matches`, or null.
template <class State, class Matches>
std::shared_ptr<State> find(const std::vector<std::weak_ptr<State>>& known, Matches&& matches) {
  for (const auto& weak : known)
    if (auto state = weak.lock(); state && matches(*state)) return state;
  return nullptr;
}

NativeObjects& native_objects(const char* where) {
  NativeObjects* objects = runtime::Registry::process().native_objects();
  if (objects) return *objects;
  std::string message =
      "belongs to a SYCL library, but hither has no SYCL devices in this process; copy through "
      "the host";
  for (const std::string& absence : runtime::Registry::process().absences())
    message += "; " + absence;
  throw Error(ErrorKind::kUnsupported, where, message);
}

[[noreturn]] void refuse_hidden(const char* where) {
  throw Error(ErrorKind::kUnsupported, where,
              "is on a device that hither does not use through SYCL; use one of hither's queues on "
              "that device, or copy through the host");
}

std::shared_ptr<DeviceState> state_of_root(const runtime::DriverDevice& root) {
  for (const Device& device : runtime::Registry::process().devices())
    if (device.state()->driver.get() == &root) return device.state();
  return nullptr;
}

/// Searches the sub-devices of `whole` recursively.
std::shared_ptr<DeviceState> find_part(DeviceState& whole, const runtime::DriverDevice& part,
                                       const NativeObjects& objects) {
  std::vector<std::shared_ptr<DeviceState>> parts;
  {
    std::lock_guard lock(whole.mutex);
    for (const auto& [how, known] : whole.partitions)
      for (const auto& weak : known)
        if (auto state = weak.lock()) parts.push_back(std::move(state));
  }
  for (const auto& state : parts) {
    if (objects.same_device(*state->driver, part)) return state;
    if (auto deeper = find_part(*state, part, objects)) return deeper;
  }
  return nullptr;
}

Device device_of(const NativeObjects::FoundDevice& found, const NativeObjects& objects,
                 const char* where) {
  if (!found.device) refuse_hidden(where);
  auto root = state_of_root(*found.root);
  if (!root) refuse_hidden(where);
  if (found.device == found.root) return Device(std::move(root));
  if (auto known = find_part(*root, *found.device, objects)) return Device(std::move(known));
  auto state = std::make_shared<DeviceState>(found.device);
  state->platform = root->platform;
  state->parent = root;
  std::lock_guard lock(root->mutex);
  state->filter_string = root->filter_string + "[" + std::to_string(root->made_sub_devices++) + "]";
  auto& adopted = root->partitions["adopted"];
  std::erase_if(adopted, [](const auto& weak) { return weak.expired(); });
  adopted.push_back(state);
  return Device(std::move(state));
}

/// The Context for a native context that has `device`. Called with the mutex of `exchanged` locked.
Context context_of(Exchanged& exchanged, NativeObjects& objects, const void* native,
                   const std::optional<Device>& device, const char* where) {
  const auto fits = [&](const ContextState& state) {
    return objects.same_context(state.driver->native_object(), native) &&
           (!device || state.index_of(*device) >= 0);
  };
  if (auto known = find(exchanged.contexts, fits)) return Context(std::move(known));
  const auto found = objects.devices_of_context(native);
  if (device && device->is_root() && objects.is_default_context(native, *device->state()->driver)) {
    const Context context = Context::default_for(*device);
    remember(exchanged.contexts, context.state());
    return context;
  }
  auto state = std::make_shared<ContextState>();
  std::vector<std::shared_ptr<runtime::DriverDevice>> drivers;
  for (const auto& each : found) {
    state->devices.push_back(device_of(each, objects, where));
    drivers.push_back(state->devices.back().state()->driver);
  }
  if (device && state->index_of(*device) < 0) {  // a sub-device, which SYCL allows
    state->devices.push_back(*device);
    drivers.push_back(device->state()->driver);
  }
  if (drivers.empty()) refuse_hidden(where);
  state->driver = objects.adopt_context(native, drivers);
  remember(exchanged.contexts, state);
  register_context(state);
  return Context(std::move(state));
}

/// The device of a context that has only one.
std::optional<Device> only_device(const NativeObjects& objects,
                                  std::span<const NativeObjects::FoundDevice> found,
                                  const char* where) {
  if (found.size() != 1) return std::nullopt;
  return device_of(found[0], objects, where);
}

}  // namespace

const void* native_queue(const Queue& queue) {
  runtime::QueueInterop* const interop = queue.state()->driver->interop();
  const void* native = interop ? interop->share() : nullptr;
  if (!native) return nullptr;
  Exchanged& exchanged = Exchanged::process();
  std::lock_guard lock(exchanged.mutex);
  remember(exchanged.queues, queue.state());
  remember(exchanged.contexts, queue.context().state());
  return native;
}

const void* native_context(const Context& context) {
  const void* native = context.state()->driver->native_object();
  if (!native) return nullptr;
  Exchanged& exchanged = Exchanged::process();
  std::lock_guard lock(exchanged.mutex);
  remember(exchanged.contexts, context.state());
  return native;
}

Queue adopt_native_queue(const void* queue) {
  constexpr const char* kWhere = "SYCL queue";
  NativeObjects& objects = native_objects(kWhere);
  Exchanged& exchanged = Exchanged::process();
  std::lock_guard lock(exchanged.mutex);
  const auto same = [&](const QueueState& state) {
    return objects.same_queue(state.driver->interop()->native_object(), queue);
  };
  if (auto known = find(exchanged.queues, same)) return Queue(std::move(known));
  const NativeObjects::FoundQueue found = objects.look_at_queue(queue);
  const Device device = device_of(found.device, objects, kWhere);
  const Context context = context_of(exchanged, objects, found.context.get(), device, kWhere);
  auto state = std::make_shared<QueueState>(context, device, found.properties);
  state->device_index = context.state()->index_of(device);
  state->failures = std::make_shared<runtime::FailureLog>();
  state->driver = objects.adopt_queue(queue, *context.state()->driver, device.state()->driver,
                                      found.properties, state->failures);
  report_failures_at_exit(state);
  remember(exchanged.queues, state);
  return Queue(std::move(state));
}

Context adopt_native_context(const void* context) {
  constexpr const char* kWhere = "SYCL context";
  NativeObjects& objects = native_objects(kWhere);
  Exchanged& exchanged = Exchanged::process();
  std::lock_guard lock(exchanged.mutex);
  const auto found = objects.devices_of_context(context);
  return context_of(exchanged, objects, context, only_device(objects, found, kWhere), kWhere);
}

std::optional<int> sycl_number(const Device& device) {
  const Backend backend = device.backend();
  if (backend != Backend::kOpenCl && backend != Backend::kLevelZero) return std::nullopt;
  const int number = device.state()->driver->native_number();
  return number < 0 ? std::nullopt : std::optional(number);
}

bool is_shared(const Queue& queue) noexcept {
  const runtime::QueueInterop* interop = queue.state()->driver->interop();
  return interop && interop->is_shared();
}

void wait_for_foreign_commands(const Queue& queue) {
  const auto await = runtime::wait_for_dpctl_commands.load(std::memory_order_relaxed);
  if (await && runtime::may_delay_foreign_commands(queue)) await(queue);
}

Event event_of_foreign_work(const Queue& queue, const Event& last) {
  if (!is_shared(queue)) return last;
  wait_for_foreign_commands(queue);
  runtime::QueueInterop& interop = *queue.state()->driver->interop();
  if (!interop.stream()) return queue.submit_barrier(std::span(&last, 1));
  const Event before[] = {last, interop.record_native_event(nullptr)};
  return before[1].is_complete() ? last : queue.submit_barrier(before);
}

}  // namespace hither
