// hither.sum, hither.argmax and so on.
#include <hither/reduce.h>
#include <nanobind/stl/optional.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

constexpr std::string_view kParameters[] = {"x"};

Array reduced(Reduction r, nb::handle x, const ReduceOptions& options, nb::handle queue_argument) {
  const auto queue = explicit_queue(queue_argument);
  if (is_array(x.ptr())) {
    ReleaseGil unlocked;
    return reduce(r, array_of(x.ptr()), options, queue ? &*queue : nullptr);
  }
  PyObject* const arguments[] = {x.ptr()};
  const PlacedCall placed(name_of(r), arguments, kParameters, queue ? &*queue : nullptr);
  ReleaseGil unlocked;
  return reduce(r, placed.operands()[0].array(), options, placed.queue());
}

ReduceOptions options_of(nb::handle axis, bool keepdims) {
  ReduceOptions options{.keepdims = keepdims};
  if (!axis.is_none()) options.axes = to_integers(axis, "axis");
  return options;
}

ReduceOptions options_of(nb::handle axis, bool keepdims, nb::handle dtype) {
  ReduceOptions options = options_of(axis, keepdims);
  if (!dtype.is_none()) options.dtype = dtype_argument(dtype);
  return options;
}

template <Reduction r>
Array plain(nb::handle x, nb::handle axis, bool keepdims, nb::handle queue) {
  return reduced(r, x, options_of(axis, keepdims), queue);
}

template <Reduction r>
Array typed(nb::handle x, nb::handle axis, nb::handle dtype, bool keepdims, nb::handle queue) {
  return reduced(r, x, options_of(axis, keepdims, dtype), queue);
}

template <Reduction r>
Array spread(nb::handle x, nb::handle axis, nb::handle dtype, double correction, bool keepdims,
             nb::handle queue) {
  ReduceOptions options = options_of(axis, keepdims, dtype);
  options.correction = correction;
  return reduced(r, x, options, queue);
}

#define HITHER_AXIS nb::arg("x"), nb::arg("axis").none() = nb::none()
#define HITHER_DTYPE nb::arg("dtype").none() = nb::none()
#define HITHER_QUEUE nb::arg("keepdims") = false, nb::arg("queue").none() = nb::none()

template <Reduction r>
void def_plain(nb::module_& m, const char* name, const char* doc) {
  m.def(name, plain<r>, HITHER_AXIS, nb::kw_only(), HITHER_QUEUE, doc);
}

template <Reduction r>
void def_typed(nb::module_& m, const char* name, const char* doc) {
  m.def(name, typed<r>, HITHER_AXIS, HITHER_DTYPE, nb::kw_only(), HITHER_QUEUE, doc);
}

template <Reduction r>
void def_spread(nb::module_& m, const char* name, const char* doc) {
  m.def(name, spread<r>, HITHER_AXIS, HITHER_DTYPE, nb::kw_only(), nb::arg("correction") = 0.0,
        HITHER_QUEUE, doc);
}

}  // namespace

void bind_array_reduction(nb::module_& m) {
  nb::list names;
#define HITHER_REDUCTION(name, constant, function, combination, rule, keywords, doc)             \
  def_##keywords<Reduction::constant>(m, #name, reduction_documentation(#name, doc, #keywords)); \
  names.append(#name);
#include <hither/reduce_table.def>
#undef HITHER_REDUCTION
  m.attr("reduction_functions") = names;
}

}  // namespace hither::python
