// hither.Event.
#include <string>

#include <hither/event.h>
#include <nanobind/stl/string.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/interpreter/gil.h"
#include "runtime/interruptible_wait.h"

namespace hither::python {
namespace {

const char* status_name(const Event& event) {
  switch (event.status()) {
    case EventStatus::kSubmitted:
      return "submitted";
    case EventStatus::kRunning:
      return "running";
    case EventStatus::kComplete:
      return "complete";
  }
  return "complete";
}

bool equal(const Event& self, nb::handle other) {
  return nb::isinstance<Event>(other) && self.state() == nb::cast<Event>(other).state();
}

}  // namespace

void bind_event(nb::module_& m) {
  nb::class_<Event>(m, "Event", documentation("Event"))
      .def(nb::init<>())
      .def(
          "wait", [](const Event& e) { runtime::wait_interruptibly(e); },
          nb::call_guard<GilReleased>(), documentation("Event.wait"))
      .def_prop_ro("status", status_name,
                   "\"submitted\", \"running\" or \"complete\". Never blocks.")
      .def_prop_ro("is_complete", &Event::is_complete,
                   "Whether the task is complete or has failed. Does not wait.")
      .def_prop_ro("profiling_submit", &Event::profiling_submit, nb::call_guard<GilReleased>(),
                   "When the task was submitted, in nanoseconds on the device's clock. It needs a\n"
                   "queue with enable_profiling=True.")
      .def_prop_ro("profiling_start", &Event::profiling_start, nb::call_guard<GilReleased>(),
                   "When the task began, on the clock of profiling_submit.")
      .def_prop_ro("profiling_end", &Event::profiling_end, nb::call_guard<GilReleased>(),
                   "When the task ended, on the clock of profiling_submit.")
      .def("__eq__", equal, nb::arg().none())
      .def("__hash__", [](const Event& e) { return std::hash<const void*>{}(e.state().get()); })
      .def("__repr__",
           [](const Event& e) { return std::string("<hither.Event ") + status_name(e) + ">"; });
}

}  // namespace hither::python
