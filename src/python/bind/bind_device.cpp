// hither.Device.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hither/absent_backends.h>
#include <hither/context.h>
#include <hither/error.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/current_queue.h"
#include "python/convert/device_of_queue.h"

namespace hither::python {
namespace {

constexpr std::string_view kAspectPrefix = "has_aspect_";

Aspect aspect_named(std::string_view name) {
  std::string known;
  for (int i = 0; i < kAspectCount; ++i) {
    const auto aspect = static_cast<Aspect>(i);
    if (name_of(aspect) == name) return aspect;
    known += fmt::format("{}{}", i ? ", " : "", name_of(aspect));
  }
  throw Error(ErrorKind::kValue, "has_aspect",
              fmt::format("\"{}\" is not an aspect; the aspects are {}", name, known));
}

// Descriptors are attributes by name, because there are dozens of them, and each device has others.
nb::object attribute(const Device& device, const std::string& name) {
  if (name.starts_with(kAspectPrefix)) {
    const auto aspect = std::string_view(name).substr(kAspectPrefix.size());
    for (int i = 0; i < kAspectCount; ++i) {
      if (name_of(static_cast<Aspect>(i)) == aspect) {
        return nb::cast(device.has(static_cast<Aspect>(i)));
      }
    }
  }
  for (const std::string& known : device.info_names()) {
    if (known == name) return nb::cast(device.info(name));
  }
  throw nb::attribute_error(
      fmt::format("{} has no descriptor '{}'", device.filter_string(), name).c_str());
}

std::vector<std::string> attribute_names(nb::handle self) {
  auto names = nb::cast<std::vector<std::string>>(
      nb::module_::import_("builtins").attr("object").attr("__dir__")(self));
  for (const std::string& name : nb::cast<const Device&>(self).info_names()) names.push_back(name);
  for (int i = 0; i < kAspectCount; ++i) {
    names.push_back(fmt::format("{}{}", kAspectPrefix, name_of(static_cast<Aspect>(i))));
  }
  return names;
}

void print_info(const Device& device) {
  for (const std::string& name : device.info_names())
    for (const std::string_view wanted : {"name", "driver_version", "vendor"})
      if (name == wanted)
        nb::print(fmt::format("    {:<16}{}", name,
                              nb::cast<std::string>(nb::str(nb::cast(device.info(name)))))
                      .c_str());
  nb::print(fmt::format("    {:<16}{}", "filter_string", device.filter_string()).c_str());
}

std::vector<std::string> aspects(const Device& device) {
  std::vector<std::string> names;
  for (int i = 0; i < kAspectCount; ++i) {
    if (device.has(static_cast<Aspect>(i))) names.emplace_back(name_of(static_cast<Aspect>(i)));
  }
  return names;
}

std::vector<Device> create_sub_devices(const Device& device, nb::handle partition) {
  int64_t units = 0;
  std::vector<int64_t> counts;
  if (nb::isinstance<nb::str>(partition)) {
    return device.create_sub_devices_by_affinity(nb::cast<std::string>(partition));
  }
  if (!nb::isinstance<nb::bool_>(partition)) {
    if (nb::try_cast(partition, units)) return device.create_sub_devices_equally(units);
    if (nb::isinstance<nb::sequence>(partition) && nb::len(partition) == 0)
      throw Error(ErrorKind::kValue, "create_sub_devices",
                  "partition is empty; give the compute units of each sub-device ([1, 1])");
    if (nb::try_cast(partition, counts)) return device.create_sub_devices_by_counts(counts);
  }
  throw Error(
      ErrorKind::kType, "create_sub_devices",
      fmt::format("partition={} is none of: the compute units of each sub-device (2), a list of "
                  "compute units ([1, 1]), an affinity domain (\"numa\")",
                  nb::cast<std::string>(nb::repr(partition))));
}

bool equal(const Device& device, nb::handle other) {
  if (nb::isinstance<Device>(other)) return device == nb::cast<Device>(other);
  return nb::isinstance<nb::str>(other) && device.filter_string() == nb::cast<std::string>(other);
}

nb::object partition_argument(const DevicePart& part) {
  if (part.kind == PartitionKind::kByAffinity) return nb::cast(part.domain);
  if (part.kind == PartitionKind::kEqually) return nb::cast(part.counts.front());
  return nb::cast(part.counts);
}

Device sub_device(const Device& parent, nb::handle partition, size_t index) {
  const std::vector<Device> parts = create_sub_devices(parent, partition);
  if (index < parts.size()) return parts[index];
  throw Error(ErrorKind::kValue, "Device",
              fmt::format("the pickle names sub-device {} of {}, which has {} when partitioned so",
                          index, parent.filter_string(), parts.size()));
}

// A root device is pickled by its filter string, a sub-device by its parent and its partition.
nb::object reduce(const Device& device) {
  if (device.is_root())
    return nb::make_tuple(nb::type<Device>(), nb::make_tuple(device.filter_string()));
  const auto part = device.part();
  if (!part) {
    throw Error(ErrorKind::kValue, "Device",
                fmt::format("the sub-device {} was made by another library and cannot be pickled; "
                            "make it with hither's create_sub_devices",
                            device.filter_string()));
  }
  return nb::make_tuple(nb::module_::import_("hither._hither").attr("sub_device"),
                        nb::make_tuple(*device.parent(), partition_argument(*part), part->index));
}

void bind_partitions(nb::class_<Device>& device) {
  device
      .def("create_sub_devices", create_sub_devices, nb::arg("partition").none(),
           documentation("Device.create_sub_devices"))
      .def_prop_ro("parent_device", &Device::parent,
                   "The device that this sub-device is part of, or None.")
      .def_prop_ro("is_root", &Device::is_root, "Whether it is not part of another device.");
}

void bind_lists(nb::module_& m) {
  m.def(
      "backends",
      [] {
        std::vector<std::string_view> names;
        for (Backend backend : all_backends()) names.push_back(name_of(backend));
        return names;
      },
      "The names of all back ends, with or without devices.");
  m.def("devices", &Device::all, documentation("devices"));
  m.def("absent_backends", absent_backends, documentation("absent_backends"));
}

}  // namespace

void bind_device(nb::module_& m) {
  m.def("sub_device", sub_device, nb::arg("parent"), nb::arg("partition"), nb::arg("index"),
        "parent.create_sub_devices(partition)[index]; pickles of sub-devices call it.");
  nb::class_<Device> device(m, "Device", documentation("Device"));
  device
      .def(
          "__init__",
          [](Device* self, nb::handle target) { new (self) Device(resolve_device(target)); },
          nb::arg("device").none() = nb::none())
      .def_prop_ro("filter_string", &Device::filter_string,
                   "The text backend:device_type:index, which names a root device.")
      .def_prop_ro(
          "backend", [](const Device& d) { return name_of(d.backend()); },
          "The name of the back end, such as \"native_cpu\" or \"cuda\".")
      .def_prop_ro(
          "device_type", [](const Device& d) { return name_of(d.type()); },
          "The kind of device, such as \"cpu\" or \"gpu\".")
      .def_prop_ro("aspects", aspects, "Names of its aspects.")
      .def(
          "has_aspect",
          [](const Device& d, std::string_view name) { return d.has(aspect_named(name)); },
          nb::arg("name"), documentation("Device.has_aspect"))
      .def(
          "info", [](const Device& d, std::string_view name) { return d.info(name); },
          nb::arg("name"), documentation("Device.info"))
      .def("print_device_info", print_info, documentation("Device.print_device_info"))
      .def_prop_ro("info_names", &Device::info_names, "Names of the descriptors that it has.")
      .def_prop_ro(
          "default_queue", [](const Device& d) { return Queue::default_for(d); },
          "The default queue of the device, which its users share.")
      .def_prop_ro(
          "default_context", [](const Device& d) { return Context::default_for(d); },
          "The default context of the device, which its users share.")
      .def("__getattr__", attribute)
      .def("__dir__", attribute_names)
      .def("__eq__", equal, nb::arg().none())
      .def("__hash__", [](const Device& d) { return nb::hash(nb::cast(d.filter_string())); })
      .def("__reduce__", reduce)
      .def("__str__", &Device::filter_string)
      .def("__repr__",
           [](const Device& d) { return fmt::format("<hither.Device {}>", d.filter_string()); });
  bind_partitions(device);
  nb::class_<DeviceOfQueue, Device>(
      m, "DeviceOfQueue",
      "The device of an array. As a device= argument it stands for the array's queue.")
      .def_ro("sycl_queue", &DeviceOfQueue::queue, "The array's queue.")
      .def_prop_ro("sycl_context", [](const DeviceOfQueue& d) { return d.queue.context(); })
      .def_prop_ro("sycl_device", [](const DeviceOfQueue& d) { return d.queue.device(); });
  bind_lists(m);
}

}  // namespace hither::python
