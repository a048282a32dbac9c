// Casts and views: hither.astype, hither.reshape, hither.permute_dims and so on.
#include <hither/error.h>
#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

// The standard wants the argument itself, where nothing is to be converted or copied.
ArrayItself cast(ArrayItself given, nb::handle dtype, bool copied, nb::handle device,
                 nb::handle queue) {
  const DType wanted = dtype_argument(dtype);
  const auto target = explicit_queue(device, "device");
  const Array x = on_explicit_queue(given.array(), queue, "astype");
  const bool stays = x.queue() == given.array().queue() && (!target || *target == x.queue());
  if (!copied && stays && wanted == x.dtype()) return {Py_NewRef(given.object)};
  const Array result = unlocked([&] {
    const Array converted = astype(x, wanted, copied);
    return target ? to_queue(converted, {*target, x.usm_type()}) : converted;
  });
  return {wrap(result)};
}

Array clipped(const Array& given, nb::handle low, nb::handle high, nb::handle queue) {
  const Array x = on_explicit_queue(given, queue, "clip");
  std::optional<Array> imported[2];
  const auto bound = [&](nb::handle object, const char* name,
                         std::optional<Array>& kept) -> std::optional<Operand> {
    if (object.is_none()) return std::nullopt;
    if (is_array(object.ptr()))
      return kept.emplace(on_explicit_queue(array_of(object.ptr()), queue, "clip"));
    if (auto operand = operand_of(object.ptr(), x.dtype())) return operand;
    if (is_foreign_usm_array(object.ptr()))
      return kept.emplace(on_explicit_queue(import_usm_array(object), queue, "clip"));
    throw Error(is_host_array(object.ptr()) ? ErrorKind::kPlacement : ErrorKind::kType, "clip",
                std::string(name) + " is " + a_type(object.ptr()) +
                    "; pass an array (hither.asarray makes one) or a number");
  };
  const auto lowest = bound(low, "min", imported[0]), highest = bound(high, "max", imported[1]);
  ReleaseGil unlocked;
  return clip(x, lowest, highest);
}

// Inserts axes of extent 1 at these positions of the result.
Array expand(const Array& x, nb::handle axis) {
  const Dims given = to_integers(axis, "axis");
  Dims places = normalize_axes(given, x.ndim() + given.size(), "expand_dims");
  std::sort(places.begin(), places.end());
  Array result = x;
  for (int64_t place : places) result = expand_dims(result, static_cast<int>(place));
  return result;
}

std::optional<Dims> optional_axes(nb::handle axis) {
  if (axis.is_none()) return std::nullopt;
  return to_integers(axis, "axis");
}

nb::tuple broadcast_all(const nb::args& shapes) {
  Dims result;
  for (nb::handle shape : shapes) result = broadcast_shapes(result, to_shape(shape));
  return to_tuple(result);
}

nb::object dtype_of(DType dtype) { return nb::borrow(dtype_object(dtype)); }

void bind_copies(nb::module_& m) {
  m.def("astype", cast, nb::arg("x"), nb::arg("dtype"), nb::kw_only(), nb::arg("copy") = true,
        nb::arg("device").none() = nb::none(), nb::arg("queue").none() = nb::none(),
        documentation("astype"));
  m.def(
      "copy",
      [](const Array& given, nb::handle queue) {
        const Array x = on_explicit_queue(given, queue, "copy");
        ReleaseGil unlocked;
        return copy(x);
      },
      nb::arg("x"), nb::kw_only(), nb::arg("queue").none() = nb::none(), documentation("copy"));
  m.def("on_queue", on_explicit_queue, nb::arg("x"), nb::arg("queue").none(), nb::arg("function"),
        "x on `queue`, without a copy; x itself for None. Errors name `function`.");
  m.def("clip", clipped, nb::arg("x"), nb::arg("min").none() = nb::none(),
        nb::arg("max").none() = nb::none(), nb::kw_only(), nb::arg("queue").none() = nb::none(),
        documentation("clip"));
}

void bind_views(nb::module_& m) {
  m.def(
      "reshape",
      [](const Array& given, nb::handle shape, std::optional<bool> copied, nb::handle queue) {
        const Dims wanted = to_integers(shape, "shape");
        const Array x = on_explicit_queue(given, queue, "reshape");
        ReleaseGil unlocked;
        return reshape(x, wanted, copied);
      },
      nb::arg("x"), nb::arg("shape"), nb::kw_only(), nb::arg("copy").none() = nb::none(),
      nb::arg("queue").none() = nb::none(), documentation("reshape"));
  m.def(
      "permute_dims",
      [](const Array& x, nb::handle axes) { return permute_dims(x, to_integers(axes, "axes")); },
      nb::arg("x"), nb::arg("axes"), documentation("permute_dims"));
  m.def("expand_dims", expand, nb::arg("x"), nb::arg("axis") = 0, documentation("expand_dims"));
  m.def(
      "squeeze",
      [](const Array& x, nb::handle axis) { return squeeze(x, to_integers(axis, "axis")); },
      nb::arg("x"), nb::arg("axis"), documentation("squeeze"));
  m.def(
      "moveaxis",
      [](const Array& x, nb::handle source, nb::handle destination) {
        return moveaxis(x, to_integers(source, "source"), to_integers(destination, "destination"));
      },
      nb::arg("x"), nb::arg("source"), nb::arg("destination"), documentation("moveaxis"));
  m.def("matrix_transpose", matrix_transpose, nb::arg("x"), documentation("matrix_transpose"));
  m.def(
      "flip", [](const Array& x, nb::handle axis) { return flip(x, optional_axes(axis)); },
      nb::arg("x"), nb::arg("axis").none() = nb::none(), documentation("flip"));
  m.def(
      "unstack", [](const Array& x, int axis) { return nb::tuple(nb::cast(unstack(x, axis))); },
      nb::arg("x"), nb::arg("axis") = 0, documentation("unstack"));
  m.def(
      "strided_view",
      [](const Array& x, nb::handle shape, nb::handle strides) {
        return strided_view(x, to_shape(shape), to_integers(strides, "strides"), 0);
      },
      nb::arg("x"), nb::arg("shape"), nb::arg("strides"),
      "A view of the same first element, with strides in elements. Raises OutOfRangeError if it "
      "would reach outside of x.");
  m.def(
      "broadcast_to",
      [](const Array& x, nb::handle shape) { return broadcast_to(x, to_shape(shape)); },
      nb::arg("x"), nb::arg("shape"), documentation("broadcast_to"));
}

}  // namespace

void bind_array_manipulation(nb::module_& m) {
  bind_copies(m);
  bind_views(m);
  m.def("broadcast_shapes", broadcast_all, documentation("broadcast_shapes"));
  m.def(
      "promote_types",
      [](nb::handle a, nb::handle b) {
        return dtype_of(promote(dtype_argument(a), dtype_argument(b)));
      },
      nb::arg("type1"), nb::arg("type2"), "The smallest dtype that both convert to.");
  m.def("can_cast_safely", [](nb::handle from, nb::handle to) {
    return can_cast_safely(dtype_argument(from), dtype_argument(to));
  });
}

}  // namespace hither::python
