// hither.cumulative_sum, hither.cumulative_prod and hither.diff.
#include <vector>

#include <hither/scan.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

using Scan = Array (*)(const Array&, const ScanOptions&, const Queue*);

// The arguments of a call as arrays; null for None.
class Operands {
 public:
  Operands(std::string_view function, std::initializer_list<nb::handle> arguments,
           std::span<const std::string_view> names, nb::handle queue)
      : wanted_(explicit_queue(queue)) {
    std::vector<PyObject*> given;
    std::vector<std::string_view> given_names;
    size_t i = 0;
    for (nb::handle argument : arguments) {
      if (!argument.is_none()) {
        given.push_back(argument.ptr());
        given_names.push_back(names[i]);
      }
      ++i;
    }
    call_.emplace(function, given, given_names, wanted_ ? &*wanted_ : nullptr);
    const Operand* next = call_->operands().data();
    for (nb::handle argument : arguments) {
      const Operand* operand = argument.is_none() ? nullptr : next++;
      if (operand && !operand->is_array())
        throw Error(ErrorKind::kType, std::string(function), "takes arrays, not numbers");
      arrays_.push_back(operand ? &operand->array() : nullptr);
    }
  }
  const Array* operator[](size_t i) const { return arrays_[i]; }
  const Queue* queue() const { return call_->queue(); }

 private:
  std::optional<Queue> wanted_;
  std::optional<PlacedCall> call_;
  std::vector<const Array*> arrays_;
};

Array scanned(Scan scan, const char* name, nb::handle x, nb::handle axis, nb::handle dtype,
              bool include_initial, nb::handle queue) {
  constexpr std::string_view names[] = {"x"};
  ScanOptions options{.include_initial = include_initial};
  if (!axis.is_none()) options.axis = to_integer(axis, "axis");
  if (!dtype.is_none()) options.dtype = dtype_argument(dtype);
  const Operands operands(name, {x}, names, queue);
  ReleaseGil unlocked;
  return scan(*operands[0], options, operands.queue());
}

void def_scan(nb::module_& m, Scan scan, const char* name) {
  m.def(
      name,
      [scan, name](nb::handle x, nb::handle axis, nb::handle dtype, bool include_initial,
                   nb::handle queue) {
        return scanned(scan, name, x, axis, dtype, include_initial, queue);
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis").none() = nb::none(),
      nb::arg("dtype").none() = nb::none(), nb::arg("include_initial") = false,
      nb::arg("queue").none() = nb::none(), documentation(name));
}

// hither.numpy is made of these.
void def_running(nb::module_& m, Reduction reduction, const char* name) {
  m.def(
      name,
      [reduction](const Array& x, int64_t axis) {
        ReleaseGil unlocked(x.size());
        return accumulate(reduction, x, axis);
      },
      nb::arg("x"), nb::arg("axis"),
      "The reduction of the elements up to each place along an axis. Lazy.");
}

}  // namespace

void bind_array_scan(nb::module_& m) {
  def_running(m, Reduction::kMin, "running_min");
  def_running(m, Reduction::kMax, "running_max");
  def_running(m, Reduction::kAny, "running_any");
  def_running(m, Reduction::kAll, "running_all");
  def_scan(m, cumulative_sum, "cumulative_sum");
  def_scan(m, cumulative_prod, "cumulative_prod");
  m.def(
      "diff",
      [](nb::handle x, int64_t axis, int64_t n, nb::handle prepend, nb::handle append,
         nb::handle queue) {
        constexpr std::string_view names[] = {"x", "prepend", "append"};
        const Operands operands("diff", {x, prepend, append}, names, queue);
        ReleaseGil unlocked;
        return diff(*operands[0], axis, n, operands[1], operands[2], operands.queue());
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis") = -1, nb::arg("n") = 1,
      nb::arg("prepend").none() = nb::none(), nb::arg("append").none() = nb::none(),
      nb::arg("queue").none() = nb::none(), documentation("diff"));
}

}  // namespace hither::python
