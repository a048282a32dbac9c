// hither.Queue.
#include <hither/queue.h>

#include <optional>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/stream.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/byte_span.h"
#include "python/convert/current_queue.h"
#include "python/convert/dpctl_queue.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/host_task.h"
#include "runtime/interruptible_wait.h"

namespace hither::python {
namespace {

/// The properties that the caller gave.
struct AskedProperties {
  std::optional<bool> in_order, enable_profiling;

  QueueProperties over(const QueueProperties& usual) const {
    return {in_order.value_or(usual.in_order), enable_profiling.value_or(usual.enable_profiling)};
  }
};

// dpctl's property=: one name or several. "in_order", which is the default, may be named.
void add_properties(nb::handle property, AskedProperties& asked) {
  const bool several = nb::isinstance<nb::list>(property) || nb::isinstance<nb::tuple>(property);
  const nb::tuple names = several ? nb::tuple(nb::borrow(property)) : nb::make_tuple(property);
  for (nb::handle name : names) {
    const std::string text = nb::cast<std::string>(nb::str(name));
    if (text == "in_order") {
      asked.in_order = true;
    } else if (text == "enable_profiling") {
      asked.enable_profiling = true;
    } else if (!name.is_none() && text != "default" && text != "0") {
      throw Error(ErrorKind::kValue, "Queue",
                  fmt::format("property={} is neither \"in_order\" nor \"enable_profiling\"",
                              nb::cast<std::string>(nb::repr(property))));
    }
  }
}

Queue make_in(const Context& context, nb::handle device, const QueueProperties& properties) {
  if (!device.is_none()) return Queue(context, resolve_device(device), properties);
  if (context.devices().size() == 1) return Queue(context, context.devices()[0], properties);
  throw Error(ErrorKind::kValue, "Queue",
              "the context has several devices; give the device too: Queue(context, device)");
}

// Another library's queue is adopted with its properties.
Queue adopt(const Queue& queue, const AskedProperties& asked) {
  if (asked.over(queue.properties()) == queue.properties()) return queue;
  throw Error(ErrorKind::kValue, "Queue",
              "a queue of another library keeps its properties; omit in_order and "
              "enable_profiling, or pass its context to make a new queue");
}

Queue make_queue(nb::handle target, nb::handle device, const AskedProperties& asked) {
  const QueueProperties properties = asked.over({});
  if (nb::isinstance<Context>(target)) {
    return make_in(nb::cast<Context>(target), device, properties);
  }
  // As in SYCL, a queue on the device of a queue shares that queue's context.
  if (nb::isinstance<Queue>(target) && device.is_none()) {
    const auto other = nb::cast<Queue>(target);
    return Queue(other.context(), other.device(), properties);
  }
  if (auto context = capsule_context(target)) return make_in(*context, device, properties);
  if (!device.is_none()) {
    throw Error(ErrorKind::kType, "Queue", "Queue(context, device) takes a hither.Context first");
  }
  if (auto queue = capsule_queue(target)) return adopt(*queue, asked);
  return Queue(resolve_device(target, "Queue"), properties);
}

size_t copy_size(const ByteSpan& to, const ByteSpan& from, nb::handle bytes) {
  if (bytes.is_none()) {
    if (to.bytes() == from.bytes()) return to.bytes();
    throw Error(ErrorKind::kValue, "copy",
                fmt::format("`to` has {} bytes and `from` {}; give nbytes= to copy a part",
                            to.bytes(), from.bytes()));
  }
  size_t asked = 0;
  if (!nb::try_cast(bytes, asked) || asked > to.bytes() || asked > from.bytes()) {
    throw Error(ErrorKind::kValue, "copy",
                fmt::format("nbytes={} is not a size that fits both: `to` has {} bytes and "
                            "`from` {}",
                            nb::cast<std::string>(nb::repr(bytes)), to.bytes(), from.bytes()));
  }
  return asked;
}

std::vector<Event> events_of(nb::handle depends_on, std::initializer_list<const ByteSpan*> spans) {
  std::vector<Event> events = events_argument(depends_on);
  for (const ByteSpan* span : spans)
    if (span->before().state()) events.push_back(span->before());
  return events;
}

Event copy(const Queue& queue, nb::handle to, nb::handle from, nb::handle bytes,
           nb::handle depends_on) {
  const ByteSpan target(to, true, "to");
  const ByteSpan source(from, false, "from");
  const size_t size = copy_size(target, source, bytes);
  const auto events = events_of(depends_on, {&target, &source});
  Event event;
  {
    GilReleased release;
    event = queue.copy(target.data(), source.data(), size, events);
  }
  target.hold_until(event);
  source.hold_until(event);
  return event;
}

Event fill(const Queue& queue, nb::handle to, nb::handle pattern, nb::handle depends_on) {
  const ByteSpan target(to, true, "to");
  std::string bytes;
  int64_t number = 0;
  if (nb::isinstance<nb::bytes>(pattern)) {
    const auto given = nb::borrow<nb::bytes>(pattern);
    bytes.assign(given.c_str(), given.size());
  } else if (nb::try_cast(pattern, number) && number >= 0 && number < 256) {
    bytes.assign(1, static_cast<char>(number));
  } else {
    throw Error(ErrorKind::kType, "pattern", "is neither an int of one byte (0 to 255) nor bytes");
  }
  if (bytes.empty() || target.bytes() % bytes.size() != 0) {
    throw Error(
        ErrorKind::kValue, "pattern",
        fmt::format("{} bytes do not divide the {} bytes to fill", bytes.size(), target.bytes()));
  }
  const auto events = events_of(depends_on, {&target});
  Event event;
  {
    GilReleased release;
    event = queue.fill(target.data(), bytes.data(), bytes.size(), target.bytes() / bytes.size(),
                       events);
  }
  target.hold_until(event);
  return event;
}

Event prefetch(const Queue& queue, nb::handle memory, nb::handle depends_on) {
  const ByteSpan span(memory, false, "memory");
  const auto events = events_argument(depends_on);
  Event event;
  {
    GilReleased release;
    event = queue.prefetch(span.data(), span.bytes(), events);
  }
  span.hold_until(event);
  return event;
}

Event submit_host(const Queue& queue, nb::callable work, nb::handle depends_on) {
  return submit_python(queue, std::move(work), events_argument(depends_on));
}

std::vector<Array> arrays_of(nb::handle sequence, const char* name) {
  std::vector<Array> arrays;
  for (nb::handle item : sequence) {
    if (!is_array(item.ptr()))
      throw Error(ErrorKind::kType, "Queue.submit_native",
                  fmt::format("{} holds {}; it takes hither's arrays", name, a_type(item.ptr())));
    arrays.push_back(array_of(item.ptr()));
  }
  return arrays;
}

Event submit_native(const Queue& queue, nb::callable work, nb::handle reads, nb::handle writes,
                    nb::handle depends_on) {
  const std::vector<Array> in = arrays_of(reads, "reads"), out = arrays_of(writes, "writes");
  const std::vector<Event> events = events_argument(depends_on);
  std::optional<StreamWork> call;
  {
    GilReleased release;
    call.emplace(queue, in, out, events);
  }
  nb::list arguments;
  arguments.append(reinterpret_cast<uintptr_t>(call->stream()));
  for (void* address : call->addresses()) arguments.append(reinterpret_cast<uintptr_t>(address));
  const nb::tuple given(arguments);
  // The lambda holds no nb::object, because Python may unwind its frame without the GIL.
  PyObject* const result =
      with_python([&] { return PyObject_CallObject(work.ptr(), given.ptr()); });
  if (!result) {
    nb::python_error error;
    {
      GilReleased release;
      call.reset();
    }
    throw error;
  }
  Py_DECREF(result);
  GilReleased release;
  return call->end();
}

// A queue of another library is compared by the queue that hither adopts for it.
bool is_same(const Queue& queue, nb::handle other) {
  if (nb::isinstance<Queue>(other)) return queue == nb::cast<Queue>(other);
  if (!is_shared(queue)) return false;
  const auto adopted = capsule_queue(other);
  return adopted && queue == *adopted;
}

std::string queue_text(const Queue& queue) {
  const QueueProperties properties = queue.properties();
  return fmt::format("<hither.Queue on {}{}{}>", queue.device().filter_string(),
                     properties.in_order ? "" : ", out of order",
                     properties.enable_profiling ? ", profiling" : "");
}

void bind_properties(nb::class_<Queue>& queue) {
  queue.def_prop_ro("device", &Queue::device, "The device that runs the work.")
      .def_prop_ro("context", &Queue::context, "The SYCL context of the queue.")
      .def_prop_ro("sycl_device", &Queue::device, "dpctl's name for device.")
      .def_prop_ro("sycl_context", &Queue::context, "dpctl's name for context.")
      .def_prop_ro(
          "native_stream",
          [](const Queue& q) -> std::optional<uintptr_t> {
            void* const stream = native_stream(q);
            if (!stream) return std::nullopt;
            return reinterpret_cast<uintptr_t>(stream);
          },
          "The CUDA stream of the queue's tasks (of some of them if it is out of order). None for\n"
          "other back ends.")
      .def_prop_ro(
          "in_order", [](const Queue& q) { return q.properties().in_order; },
          "Whether work runs in the order of its submission.")
      .def_prop_ro(
          "enable_profiling", [](const Queue& q) { return q.properties().enable_profiling; },
          "Whether events of the queue have times on the device's clock.")
      .def_prop_ro(
          "backend", [](const Queue& q) { return name_of(q.device().backend()); },
          "The name of the device's back end.")
      .def_prop_ro(
          "name", [](const Queue& q) { return q.device().info("name"); }, "The device's name.");
}

void bind_submissions(nb::class_<Queue>& queue) {
  const auto none = nb::none();
  queue
      .def("copy", copy, nb::arg("to"), nb::arg("from_"), nb::arg("nbytes") = none,
           nb::arg("depends_on") = none, documentation("Queue.copy"))
      .def("fill", fill, nb::arg("to"), nb::arg("pattern"), nb::arg("depends_on") = none,
           documentation("Queue.fill"))
      .def("prefetch", prefetch, nb::arg("memory"), nb::arg("depends_on") = none,
           documentation("Queue.prefetch"))
      .def("submit_host", submit_host, nb::arg("work"), nb::arg("depends_on") = none,
           documentation("Queue.submit_host"))
      .def("submit_native", submit_native, nb::arg("work"), nb::kw_only(),
           nb::arg("reads") = nb::tuple(), nb::arg("writes") = nb::tuple(),
           nb::arg("depends_on") = none, documentation("Queue.submit_native"))
      .def(
          "submit_barrier",
          [](const Queue& q, nb::handle depends_on) {
            const auto events = events_argument(depends_on);
            GilReleased release;
            return q.submit_barrier(events);
          },
          nb::arg("depends_on") = none, documentation("Queue.submit_barrier"))
      .def(
          "wait", [](const Queue& q) { runtime::wait_interruptibly(q); },
          nb::call_guard<GilReleased>(), documentation("Queue.wait"));
}

}  // namespace

void bind_queue(nb::module_& m) {
  watch_work_of_dpctl();
  m.def("expect_host_tasks", expect_host_tasks,
        "Records that other libraries may submit host tasks that take the GIL.");
  m.def("expects_host_tasks", expects_host_tasks,
        "Whether other libraries may submit host tasks that take the GIL: dpctl is imported, or a\n"
        "queue is shared with other libraries.");
  nb::class_<Queue> queue(m, "Queue", documentation("Queue"));
  queue.def(
      "__init__",
      [](Queue* self, nb::handle target, nb::handle device, std::optional<bool> in_order,
         std::optional<bool> profiling, nb::handle property) {
        AskedProperties asked{in_order, profiling};
        add_properties(property, asked);
        const bool has_device = !device.is(nb::ellipsis());
        if (target.is_none() && has_device && device.is_none())
          throw Error(ErrorKind::kType, "Queue",
                      "takes no argument, a device, or a context and a device; None is not "
                      "allowed");
        const nb::object second = has_device ? nb::borrow(device) : nb::none();
        new (self) Queue(make_queue(target, second, asked));
      },
      nb::arg("target").none() = nb::none(), nb::arg("device").none() = nb::ellipsis(),
      nb::kw_only(), nb::arg("in_order") = nb::none(), nb::arg("enable_profiling") = nb::none(),
      nb::arg("property").none() = nb::none());
  bind_properties(queue);
  queue.def("equivalent", &Queue::equivalent, nb::arg("other"), documentation("Queue.equivalent"))
      .def(
          "__eq__", [](const Queue& self, nb::handle other) { return is_same(self, other); },
          nb::arg().none())
      .def("__hash__", [](const Queue& q) { return std::hash<const void*>{}(q.state().get()); })
      .def("_get_capsule", queue_capsule,
           "A capsule for other libraries. On SYCL devices it is named \"SyclQueueRef\" and "
           "holds a\n"
           "sycl::queue*. On other devices it is named \"hither.QueueRef\" and holds a "
           "hither::Queue*.")
      .def("__repr__", queue_text);
  bind_submissions(queue);
  m.def(
      "default_queue", [](nb::handle device) { return resolve_queue(device, "queue or device"); },
      nb::arg("device").none() = nb::none(), documentation("default_queue"));
}

}  // namespace hither::python
