// An extension with nanobind: solves the heat equation with a kernel in C++ (kernels/heat.cpp).
//
//   diffusion.diffuse(start, steps, rate=0.1, queue=None)
#include <hither/nanobind.h>

#include <hither/error.h>
#include <hither/module.h>
#include <nanobind/stl/optional.h>

#include <utility>

#include "heat_kernels.h"

namespace nb = nanobind;

namespace {

hither::Array diffuse(const hither::Array& start, int64_t steps, double rate,
                      const std::optional<hither::Queue>& queue) {
  if (start.ndim() != 2)
    throw hither::Error(hither::ErrorKind::kValue, "diffuse", "start has to have two dimensions");
  static const hither::Module kernels(heat_kernels, "heat.cpp");
  const hither::Allocate where{queue.value_or(start.queue()), start.usm_type()};
  const hither::Range cells(start.shape()[0], start.shape()[1]);
  hither::Array now = hither::copy(hither::astype(start, hither::DType::kFloat32));
  hither::Array next = hither::empty(start.shape(), hither::DType::kFloat32, where);
  for (int64_t step = 0; step < steps; ++step) {
    kernels.launch("heat_step", cells, {now, next, rate}, {.queue = &where.queue, .only_read = 1});
    std::swap(now, next);
  }
  return now;
}

}  // namespace

NB_MODULE(diffusion, m) {
  hither::use_hither();
  m.def("diffuse", diffuse, nb::arg("start"), nb::arg("steps"), nb::arg("rate") = 0.1,
        nb::arg("queue") = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
        "Returns `start`, an array of two dimensions, after `steps` steps, computed on `queue` or "
        "on the queue of `start`.");
}
