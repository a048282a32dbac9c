// hither.UserOp and hither.UserReduction, the operations that @hither.vectorize, @hither.reduction
// and @hither.scan make for the dtypes of a call.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <hither/user_op.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_object.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

UserOp make_user_op(const std::string& name, const std::string& symbol,
                    std::vector<std::string> code, const std::vector<std::string>& operands,
                    const std::string& result) {
  UserOpSource source{name, symbol, std::move(code), {}, dtype_argument(nb::cast(result))};
  for (const std::string& operand : operands)
    source.operands.push_back(dtype_argument(nb::cast(operand)));
  return UserOp(std::move(source));
}

nb::object call(const UserOp& op, const nb::args& arguments, nb::handle queue) {
  static constexpr std::string_view kNames[] = {"x1", "x2", "x3"};
  const size_t count = op.source().operands.size();
  if (arguments.size() != count)
    throw Error(ErrorKind::kType, op.source().name,
                "takes " + std::to_string(count) + " operand(s), " +
                    std::to_string(arguments.size()) + " given");
  PyObject* objects[3] = {};
  for (size_t i = 0; i < count; ++i) objects[i] = arguments[i].ptr();
  const std::optional<Queue> given = explicit_queue(queue);
  const PlacedCall placed(op.source().name, std::span(objects, count), std::span(kNames, count),
                          given ? &*given : nullptr);
  return nb::steal(
      wrap(unlocked([&] { return hither::apply(op, placed.operands(), placed.queue()); })));
}

UserReduction make_user_reduction(const UserOp& op, nb::handle identity) {
  const DType dtype = op.source().operands[0];
  const auto number = scalar_of(identity.ptr(), dtype);
  if (!number)
    throw Error(ErrorKind::kType, op.source().name,
                "identity is " + a_type(identity.ptr()) + ", not a number");
  return UserReduction(op, *number);
}

// Calls compute(array, queue, ...) with the operand that `x` is.
template <typename Compute>
Array of_operand(const UserReduction& r, nb::handle x, nb::handle queue_argument,
                 Compute&& compute) {
  static constexpr std::string_view kNames[] = {"x"};
  const auto queue = explicit_queue(queue_argument);
  PyObject* const arguments[] = {x.ptr()};
  const PlacedCall placed(r.source().name, arguments, kNames, queue ? &*queue : nullptr);
  return unlocked([&] { return compute(placed.operands()[0].array(), placed.queue()); });
}

Array reduced(const UserReduction& r, nb::handle x, nb::handle axis, nb::handle dtype,
              bool keepdims, nb::handle queue) {
  ReduceOptions options{.keepdims = keepdims};
  if (!axis.is_none()) options.axes = to_integers(axis, "axis");
  if (!dtype.is_none()) options.dtype = dtype_argument(dtype);
  return of_operand(r, x, queue,
                    [&](const Array& a, const Queue* q) { return reduce(r, a, options, q); });
}

Array scanned(const UserReduction& r, nb::handle x, nb::handle axis, nb::handle dtype,
              bool include_initial, nb::handle queue) {
  ScanOptions options{.include_initial = include_initial};
  if (!axis.is_none()) options.axis = to_integer(axis, "axis");
  if (!dtype.is_none()) options.dtype = dtype_argument(dtype);
  return of_operand(r, x, queue,
                    [&](const Array& a, const Queue* q) { return scan(r, a, options, q); });
}

void bind_user_reduction(nb::module_& m) {
  nb::class_<UserReduction>(m, "UserReduction", "A reduction by a user-defined operation.")
      .def(nb::new_(&make_user_reduction), nb::arg("op"), nb::arg("identity"))
      .def("reduce", reduced, nb::arg("x"), nb::arg("axis").none(), nb::arg("dtype").none(),
           nb::arg("keepdims"), nb::arg("queue").none(),
           "Reduces x along axes, lazily. `dtype` is the result's.")
      .def("scan", scanned, nb::arg("x"), nb::arg("axis").none(), nb::arg("dtype").none(),
           nb::arg("include_initial"), nb::arg("queue").none(),
           "Combines the elements before and at each place along an axis, lazily.");
}

}  // namespace

void bind_user_op(nb::module_& m) {
  nb::class_<UserOp>(m, "UserOp", "A user-defined element-wise operation.")
      .def(nb::new_(&make_user_op), nb::arg("name"), nb::arg("symbol"), nb::arg("code"),
           nb::arg("operands"), nb::arg("result"))
      .def("__call__", call, nb::arg("operands"), nb::arg("queue").none() = nb::none(),
           "Applies the operation lazily. Takes the same operands as hither's element-wise\n"
           "functions.");
  bind_user_reduction(m);
}

}  // namespace hither::python
