// Products: hither.matmul, hither.tensordot, hither.vecdot.
#include <algorithm>

#include <hither/error.h>
#include <hither/linalg.h>
#include <hither/ops.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

constexpr std::string_view kParameters[] = {"x1", "x2"};

// Calls `product` with both arrays and the queue to run on, or null.
template <typename Product>
Array placed_product(const char* function, nb::handle x1, nb::handle x2, nb::handle queue_argument,
                     Product product) {
  const auto queue = explicit_queue(queue_argument);
  const Queue* wanted = queue ? &*queue : nullptr;
  if (is_array(x1.ptr()) && is_array(x2.ptr())) {
    return product(array_of(x1.ptr()), array_of(x2.ptr()), wanted);
  }
  PyObject* const arguments[] = {x1.ptr(), x2.ptr()};
  const PlacedCall placed(function, arguments, kParameters, wanted);
  for (const Operand& operand : placed.operands()) {
    if (!operand.is_array()) throw Error(ErrorKind::kType, function, "takes arrays, not numbers");
  }
  return product(placed.operands()[0].array(), placed.operands()[1].array(), placed.queue());
}

Precision precision_of(const std::optional<std::string>& name) {
  if (!name) return Precision::kFull;
  if (*name == "tensorfloat32") return Precision::kTensorFloat32;
  if (*name == "bfloat16") return Precision::kBFloat16;
  throw Error(ErrorKind::kValue, "matmul",
              "precision is '" + *name + "'; it is None, 'tensorfloat32' or 'bfloat16'");
}

Array product(nb::handle x1, nb::handle x2, nb::handle queue,
              const std::optional<std::string>& precision_name) {
  const Precision precision = precision_of(precision_name);
  return placed_product("matmul", x1, x2, queue,
                        [=](const Array& a, const Array& b, const Queue* q) {
                          ReleaseGil unlocked;
                          return matmul(a, b, q, precision);
                        });
}

Array contraction(nb::handle x1, nb::handle x2, nb::handle axes, nb::handle queue) {
  int count = 0;
  Dims first, second;
  const bool counted = PyIndex_Check(axes.ptr());
  if (counted) {
    count = static_cast<int>(std::clamp<int64_t>(to_integer(axes, "axes"), -1, kMaxRank + 1));
  } else if (PySequence_Check(axes.ptr()) && nb::len(axes) == 2) {
    nb::object both = nb::borrow(axes);
    first = to_integers(nb::object(both[0]), "axes");
    second = to_integers(nb::object(both[1]), "axes");
  } else {
    throw Error(ErrorKind::kType, "tensordot",
                "axes is an int, or two sequences: axes of x1, and of x2");
  }
  return placed_product(
      "tensordot", x1, x2, queue, [&](const Array& a, const Array& b, const Queue* q) {
        ReleaseGil unlocked;
        return counted ? tensordot(a, b, count, q) : tensordot(a, b, first, second, q);
      });
}

Array vector_product(nb::handle x1, nb::handle x2, int axis, nb::handle queue) {
  return placed_product("vecdot", x1, x2, queue,
                        [&](const Array& a, const Array& b, const Queue* q) {
                          ReleaseGil unlocked;
                          return vecdot(a, b, axis, q);
                        });
}

// NumPy's product over the last axis of a and an axis of b. A number multiplies all elements.
Array product_over(const Array& a, const Array& b, int axis_of_b) {
  ReleaseGil unlocked;
  if (a.ndim() == 0 || b.ndim() == 0) return a * b;
  return tensordot(a, b, {-1}, {axis_of_b}, nullptr);
}

Array dot(const Array& a, const Array& b) {
  if (std::min(a.ndim(), b.ndim()) == 0 || std::max(a.ndim(), b.ndim()) > 2)
    return product_over(a, b, b.ndim() > 1 ? -2 : -1);
  ReleaseGil unlocked;
  return matmul(a, b);
}

}  // namespace

void bind_array_linalg(nb::module_& m) {
  m.def(
      "cross",
      [](const Array& a, const Array& b, int axis) {
        ReleaseGil unlocked(a.size());
        return cross(a, b, axis);
      },
      nb::arg("a"), nb::arg("b"), nb::arg("axis"),
      "Cross products of vectors of three elements along a negative axis. Lazy.");
  m.def("dot", dot, nb::arg("a"), nb::arg("b"),
        "The product of matrices or vectors, or over a's last and b's last axis but one. Lazy.");
  m.def(
      "inner", [](const Array& a, const Array& b) { return product_over(a, b, -1); }, nb::arg("a"),
      nb::arg("b"), "The product over the last axes of both arrays. Lazy.");
  m.def("matmul", product, nb::arg("x1"), nb::arg("x2"), nb::kw_only(),
        nb::arg("queue").none() = nb::none(), nb::arg("precision").none() = nb::none(),
        documentation("matmul"));
  m.def("tensordot", contraction, nb::arg("x1"), nb::arg("x2"), nb::kw_only(), nb::arg("axes") = 2,
        nb::arg("queue").none() = nb::none(), documentation("tensordot"));
  m.def("vecdot", vector_product, nb::arg("x1"), nb::arg("x2"), nb::kw_only(), nb::arg("axis") = -1,
        nb::arg("queue").none() = nb::none(), documentation("vecdot"));
  m.def("set_blas_library", set_blas_library, nb::arg("path"), documentation("set_blas_library"));
  m.def("set_cuda_folders", set_cuda_folders, nb::arg("folders"),
        "Sets folders in which NVIDIA's libraries are searched. Call it before the first use of\n"
        "one.");
  m.def(
      "blas_name", [](const Device& device) { return blas_name(device); }, nb::arg("device"),
      documentation("blas_name"));
}

}  // namespace hither::python
