// hither.Context.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hither/context.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/current_queue.h"
#include "python/convert/usm_interface.h"

namespace hither::python {
namespace {

Context make_context(nb::handle devices) {
  // Another library's context is adopted. For another library's queue, its context is.
  if (!nb::isinstance<Queue>(devices) && !nb::isinstance<Context>(devices)) {
    if (auto context = capsule_context(devices)) return *context;
    if (auto queue = capsule_queue(devices)) return queue->context();
  }
  const bool one = devices.is_none() || nb::isinstance<nb::str>(devices) ||
                   nb::isinstance<Device>(devices) || nb::isinstance<Queue>(devices) ||
                   !nb::isinstance<nb::iterable>(devices);
  std::vector<Device> list;
  if (one) {
    list.push_back(resolve_device(devices, "devices"));
  } else {
    for (nb::handle device : nb::borrow<nb::iterable>(devices)) {
      list.push_back(resolve_device(device, "devices"));
    }
  }
  return Context(list);
}

std::string text(const Context& context) {
  std::string devices;
  for (const Device& device : context.devices()) {
    devices += fmt::format("{}{}", devices.empty() ? "" : ", ", device.filter_string());
  }
  return fmt::format("<hither.Context [{}]>", devices);
}

}  // namespace

void bind_context(nb::module_& m) {
  nb::class_<Context>(m, "Context", documentation("Context"))
      .def(
          "__init__",
          [](Context* self, nb::handle devices) { new (self) Context(make_context(devices)); },
          nb::arg("devices").none() = nb::none())
      .def_static(
          "default", [](nb::handle device) { return Context::default_for(resolve_device(device)); },
          nb::arg("device").none() = nb::none(), documentation("Context.default"))
      .def_prop_ro("devices", &Context::devices, "The devices of the context.")
      .def_prop_ro(
          "device_count", [](const Context& c) { return c.devices().size(); },
          "The number of devices.")
      .def(
          "__eq__",
          [](const Context& self, nb::handle other) {
            return nb::isinstance<Context>(other) && self == nb::cast<Context>(other);
          },
          nb::arg().none())
      .def("_get_capsule", context_capsule,
           "A capsule for other libraries. On SYCL devices it is named \"SyclContextRef\" and "
           "holds a\n"
           "sycl::context*. On other devices it is named \"hither.ContextRef\" and holds a\n"
           "hither::Context*.")
      .def("__hash__", [](const Context& c) { return std::hash<const void*>{}(c.state().get()); })
      .def("__repr__", text);
}

}  // namespace hither::python
