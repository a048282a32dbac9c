// hither.UsmView, the checked __sycl_usm_array_interface__ of an object.
#include <string_view>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/strides.h>
#include <nanobind/stl/string_view.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/usm_interface.h"

namespace hither::python {
namespace {

nb::dict interface_for(uintptr_t pointer, bool read_only, nb::handle shape, nb::handle strides,
                       nb::handle dtype, nb::handle queue) {
  const Dims extents = to_shape(shape);
  const Dims steps =
      strides.is_none() ? contiguous_strides(extents) : to_integers(strides, "strides");
  if (steps.size() != extents.size()) {
    throw Error(ErrorKind::kValue, "strides",
                fmt::format("{} numbers for {} dimensions", steps.size(), extents.size()));
  }
  return make_usm_interface(
      reinterpret_cast<void*>(pointer), read_only, extents, steps,  // NOLINT
      dtype_argument(dtype),
      nb::cast(syclobj_queue(queue, reinterpret_cast<void*>(pointer))));  // NOLINT
}

}  // namespace

void bind_usm_interface(nb::module_& m) {
  nb::class_<UsmView>(m, "UsmView", documentation("UsmView"))
      .def(
          "__init__",
          [](UsmView* self, nb::handle object) { new (self) UsmView(read_usm_interface(object)); },
          nb::arg("object"))
      .def_prop_ro(
          "pointer", [](const UsmView& v) { return reinterpret_cast<uintptr_t>(v.data); },
          "Address of the first element, including the offset.")
      .def_ro("read_only", &UsmView::read_only, "Whether the memory must not be written.")
      .def_prop_ro(
          "shape", [](const UsmView& v) { return to_tuple(v.shape); }, "The shape of the array.")
      .def_prop_ro(
          "strides", [](const UsmView& v) { return to_tuple(v.strides); }, "In elements.")
      .def_prop_ro(
          "dtype", [](const UsmView& v) { return nb::borrow(dtype_object(v.dtype)); },
          "The dtype of the elements.")
      .def_ro("queue", &UsmView::queue, "The queue on which hither uses the array.")
      .def_prop_ro(
          "device", [](const UsmView& v) { return device_of_queue(v.queue); },
          "The device of the queue.")
      .def_prop_ro(
          "usm_type", [](const UsmView& v) { return name_of(v.usm_type); },
          "The kind of memory: \"device\", \"shared\" or \"host\".")
      .def_ro("owner", &UsmView::owner, "The object that owns the memory.")
      .def_prop_ro(kUsmInterfaceName, [](const UsmView& v) {
        return make_usm_interface(v.data, v.read_only, v.shape, v.strides, v.dtype,
                                  nb::cast(v.queue));
      });
  m.def("make_usm_interface", interface_for, nb::arg("pointer"), nb::arg("read_only"),
        nb::arg("shape"), nb::arg("strides").none(), nb::arg("dtype"), nb::arg("queue"),
        "The dict of __sycl_usm_array_interface__; only its fields are checked.");
  m.def(
      "queue_of_syclobj", [](nb::handle syclobj) { return syclobj_queue(syclobj); },
      nb::arg("syclobj"), "The queue of a field `syclobj` of __sycl_usm_array_interface__.");
}

}  // namespace hither::python
