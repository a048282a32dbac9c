// hither.LocalAccessor.
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/strides.h>
#include <nanobind/stl/string.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/local_accessor.h"

namespace hither::python {
namespace {

int64_t extent_of(nb::handle value) {
  int64_t extent = 0;
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  PyErr_Clear();
  if (!index.is_valid() || !nb::try_cast(index, extent) || extent < 0)
    throw Error(ErrorKind::kValue, "LocalAccessor",
                fmt::format("{} is not an extent of a shape; pass an int or a tuple of ints",
                            nb::cast<std::string>(nb::repr(value))));
  return extent;
}

LocalAccessor make_accessor(nb::handle shape, nb::handle dtype) {
  LocalAccessor accessor{{}, dtype_argument(dtype)};
  if (PyIndex_Check(shape.ptr()) || !PySequence_Check(shape.ptr())) {
    accessor.shape.push_back(extent_of(shape));
    return accessor;
  }
  if (nb::len(shape) < 1 || nb::len(shape) > 3)
    throw Error(ErrorKind::kValue, "LocalAccessor",
                fmt::format("local arrays have 1 to 3 dimensions, not {}", nb::len(shape)));
  for (size_t d = 0, count = nb::len(shape); d < count; ++d)
    accessor.shape.push_back(extent_of(shape[d]));
  element_count(accessor.shape);  // throws if the size overflows
  return accessor;
}

[[noreturn]] void refuse_element() {
  PyErr_SetString(PyExc_NotImplementedError,
                  "a LocalAccessor has elements only inside a kernel; pass it to a kernel");
  throw nb::python_error();
}

}  // namespace

void bind_local_accessor(nb::module_& m) {
  nb::class_<LocalAccessor>(m, "LocalAccessor", documentation("LocalAccessor"))
      .def(nb::new_(&make_accessor), nb::arg("shape"), nb::arg("dtype"))
      .def_prop_ro(
          "shape", [](const LocalAccessor& a) { return to_tuple(a.shape); },
          "The shape of the array that a work-group has.")
      .def_prop_ro(
          "dtype", [](const LocalAccessor& a) { return dtype_object(a.dtype); },
          "The dtype of the elements.")
      .def("__getitem__", [](const LocalAccessor&, nb::handle) { refuse_element(); })
      .def("__setitem__", [](const LocalAccessor&, nb::handle, nb::handle) { refuse_element(); })
      .def("__repr__", [](const LocalAccessor& a) {
        return fmt::format("hither.LocalAccessor({}, {})",
                           nb::cast<std::string>(nb::repr(to_tuple(a.shape))), name_of(a.dtype));
      });
}

}  // namespace hither::python
