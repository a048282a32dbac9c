// An extension with pybind11: array operations in C++, which fuse with later operations in Python.
//
//   normalised.rows(x)        each row divided by its length
//   normalised.place(x)       the device, context and queue of an array
#include <hither/pybind11.h>

#include <hither/ops.h>
#include <hither/reduce.h>

#include <tuple>

namespace py = pybind11;

namespace {

hither::Array rows(const hither::Array& x) {
  if (x.ndim() < 1) throw hither::Error(hither::ErrorKind::kValue, "rows", "x has no rows");
  return x /
         hither::sqrt(hither::sum(x * x, {.axes = hither::Dims{x.ndim() - 1}, .keepdims = true}));
}

std::tuple<hither::Device, hither::Context, hither::Queue> place(const hither::Array& x) {
  return {x.device(), x.queue().context(), x.queue()};
}

}  // namespace

PYBIND11_MODULE(normalised, m) {
  hither::use_hither();
  m.def("rows", rows, py::arg("x"), py::call_guard<py::gil_scoped_release>());
  m.def("place", place, py::arg("x"));
  m.def(
      "queue", [](const hither::Queue& queue) { return queue; }, py::arg("queue"),
      "The queue that `queue` denotes: a queue, or the one of a device or filter string.");
  m.def(
      "allocate",
      [](const hither::Queue& queue, size_t bytes) {
        return hither::Memory(queue, bytes, hither::UsmType::kShared);
      },
      py::arg("queue"), py::arg("bytes"));
  m.def("evaluate", [](const hither::Array& x) { return x.evaluate(); }, py::arg("x"));
}
