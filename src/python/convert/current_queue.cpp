#include "python/convert/current_queue.h"

#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/convert/device_of_queue.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/shown.h"

namespace hither::python {
namespace {

[[noreturn]] void refuse(nb::handle object, const char* where, const char* wanted) {
  throw Error(ErrorKind::kType, where, fmt::format("{} is not {}", shown(object), wanted));
}

// Queues and devices of dpctl, dpnp and hither.compat are recognised by their attributes. The
// search ends after this many steps, because an object may refer to itself.
constexpr int kMostSteps = 8;

/// The value of the first of these attributes that is not None; None without one.
nb::object next_of(nb::handle object, std::initializer_list<const char*> names) {
  if (PyType_Check(object.ptr())) return nb::none();
  for (const char* name : names) {
    if (!nb::hasattr(object, name)) continue;
    if (nb::object inner = object.attr(name); !inner.is_none()) return inner;
  }
  return nb::none();
}

constexpr size_t kLongestFilter = 1000;

std::string filter_of(nb::handle object) {
  std::string filter;
  if (nb::try_cast(object, filter) && filter.size() <= kLongestFilter) return filter;
  throw Error(ErrorKind::kValue, "filter string", shown(object) + " names no device");
}

std::optional<Queue> known_queue(nb::handle target) {
  if (nb::isinstance<Queue>(target)) return nb::cast<Queue>(target);
  if (nb::isinstance<DeviceOfQueue>(target)) return nb::cast<const DeviceOfQueue&>(target).queue;
  if (nb::isinstance<Device>(target)) return Queue::default_for(nb::cast<Device>(target));
  if (nb::isinstance<nb::str>(target)) return Queue::default_for(Device::select(filter_of(target)));
  return std::nullopt;
}

// A plain device or a filter string agrees with every queue on that device.
bool names_device_only(nb::handle target) {
  return nb::isinstance<nb::str>(target) ||
         (nb::isinstance<Device>(target) && !nb::isinstance<DeviceOfQueue>(target));
}

}  // namespace

Queue resolve_queue(nb::handle target, const char* where) {
  if (target.is_none()) {
    if (auto current = context_queue()) return *current;
    return Queue::default_queue();
  }
  nb::object object = nb::borrow(target);
  for (int step = 0; step < kMostSteps && !object.is_none(); ++step) {
    if (auto queue = known_queue(object)) return *queue;
    if (auto queue = capsule_queue(object)) return *queue;
    object = next_of(object, {"sycl_queue", "sycl_device", "filter_string"});
  }
  refuse(target, where,
         "a queue: give a hither.Queue, a hither.Device or a filter string such as \"cpu\"");
}

std::optional<Queue> explicit_queue(nb::handle target, const char* where) {
  if (target.is_none()) return std::nullopt;
  return resolve_queue(target, where);
}

std::optional<Queue> explicit_queue(nb::handle queue, nb::handle sycl_queue, nb::handle device) {
  auto chosen = explicit_queue(queue, "queue");
  for (auto [target, name] : {std::pair{sycl_queue, "sycl_queue"}, std::pair{device, "device"}}) {
    auto other = explicit_queue(target, name);
    if (!other) continue;
    if (!chosen) {
      chosen = other;
    } else if (names_device_only(target) ? chosen->device() != other->device()
                                         : !chosen->equivalent(*other)) {
      throw Error(
          ErrorKind::kValue, name,
          fmt::format("names a queue on {} that is not equivalent to the other queue given, "
                      "on {}; give one of queue=, sycl_queue= and device=",
                      other->device().filter_string(), chosen->device().filter_string()));
    }
  }
  return chosen;
}

Device resolve_device(nb::handle target, const char* where) {
  if (target.is_none()) {
    if (auto current = context_queue()) return current->device();
    return Device::select_default();
  }
  nb::object object = nb::borrow(target);
  for (int step = 0; step < kMostSteps && !object.is_none(); ++step) {
    if (nb::isinstance<Device>(object)) return nb::cast<Device>(object);
    if (nb::isinstance<nb::str>(object)) return Device::select(filter_of(object));
    if (auto queue = known_queue(object)) return queue->device();
    if (auto queue = capsule_queue(object)) return queue->device();
    object = next_of(object, {"sycl_device", "filter_string"});
  }
  refuse(target, where,
         "a device: give a hither.Device, a hither.Queue or a filter string such as \"cpu\"");
}

nb::object device_of_queue(const Queue& queue) { return nb::cast(DeviceOfQueue(queue)); }

std::vector<Event> events_argument(nb::handle events) {
  std::vector<Event> found;
  if (events.is_none()) return found;
  if (nb::isinstance<Event>(events)) {
    found.push_back(nb::cast<Event>(events));
    return found;
  }
  if (!nb::isinstance<nb::iterable>(events)) {
    refuse(events, "depends_on", "an event or a sequence of events");
  }
  for (nb::handle event : nb::borrow<nb::iterable>(events)) {
    if (!nb::isinstance<Event>(event)) refuse(event, "depends_on", "an event");
    found.push_back(nb::cast<Event>(event));
  }
  return found;
}

}  // namespace hither::python
