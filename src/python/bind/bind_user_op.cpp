// hither.UserOp, the operation that @hither.vectorize makes for the dtypes of a call.
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

}  // namespace

void bind_user_op(nb::module_& m) {
  nb::class_<UserOp>(m, "UserOp", "A user-defined element-wise operation.")
      .def(nb::new_(&make_user_op), nb::arg("name"), nb::arg("symbol"), nb::arg("code"),
           nb::arg("operands"), nb::arg("result"))
      .def("__call__", call, nb::arg("operands"), nb::arg("queue").none() = nb::none(),
           "Applies the operation lazily. Takes the same operands as hither's element-wise\n"
           "functions.");
}

}  // namespace hither::python
