// Joining and repeating: hither.concat, hither.stack, hither.roll and so on.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/manipulate.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/current_queue.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

// The arrays of a sequence, after placement.
struct Parts {
  std::vector<Array> arrays;
  std::optional<Queue> queue;

  const Queue* where() const { return queue ? &*queue : nullptr; }
};

Parts parts_of(nb::handle sequence, nb::handle queue_argument, const char* function) {
  Parts parts{.queue = explicit_queue(queue_argument)};
  std::vector<nb::object> items;
  std::vector<PyObject*> pointers;
  bool all_arrays = true;
  for (nb::handle item : sequence) {
    items.push_back(nb::borrow(item));
    pointers.push_back(item.ptr());
    all_arrays = all_arrays && is_array(item.ptr());
  }
  if (items.empty()) throw Error(ErrorKind::kValue, function, "needs at least one array");
  if (all_arrays) {
    for (PyObject* pointer : pointers) parts.arrays.push_back(array_of(pointer));
    return parts;
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < items.size(); ++i) texts.push_back(fmt::format("arrays[{}]", i));
  const std::vector<std::string_view> names(texts.begin(), texts.end());
  const PlacedCall placed(function, pointers, names, parts.where());
  for (const Operand& operand : placed.operands()) {
    if (!operand.is_array()) throw Error(ErrorKind::kType, function, "takes arrays, not numbers");
    parts.arrays.push_back(operand.array());
  }
  if (placed.queue()) parts.queue = *placed.queue();
  return parts;
}

Array rolled(const Array& x, nb::handle shift, nb::handle axis, nb::handle queue) {
  const auto wanted = explicit_queue(queue);
  Dims shifts = to_integers(shift, "shift");
  std::optional<Dims> axes;
  if (!axis.is_none()) {
    axes = to_integers(axis, "axis");
    // One shift applies to all axes, as in NumPy.
    if (shifts.size() == 1 && axes->size() > 1) shifts = Dims(axes->size(), shifts[0]);
  }
  ReleaseGil unlocked(x.size());
  return roll(x, shifts, axes, wanted ? &*wanted : nullptr);
}

// Whether `repeats` has a count for each element: an array of any kind, or a list.
bool are_counts(PyObject* repeats) {
  if (is_array(repeats) || PyList_Check(repeats) || PyTuple_Check(repeats)) return true;
  return is_host_array(repeats) && !is_zero_dimensional(repeats);
}

Array repeated(const Array& given, nb::handle repeats, std::optional<int> axis, nb::handle queue) {
  const Array x = on_explicit_queue(given, queue, "repeat");
  if (are_counts(repeats.ptr())) {  // counts do not affect placement
    const Array counts = import_any(repeats, {.queue = x.queue()});
    ReleaseGil unlocked(counts.size());
    return repeat(x, counts, axis);
  }
  const int64_t count = to_integer(repeats, "repeats");
  ReleaseGil unlocked;
  return repeat(x, count, axis);
}

}  // namespace

void bind_array_joining(nb::module_& m) {
  m.def(
      "concat",
      [](nb::handle arrays, std::optional<int> axis, nb::handle queue) {
        const Parts parts = parts_of(arrays, queue, "concat");
        ReleaseGil unlocked(parts.arrays[0].size());
        return concat(parts.arrays, axis, parts.where());
      },
      nb::arg("arrays"), nb::arg("axis").none() = 0, nb::kw_only(),
      nb::arg("queue").none() = nb::none(), documentation("concat"));
  m.def(
      "stack",
      [](nb::handle arrays, int axis, nb::handle queue) {
        const Parts parts = parts_of(arrays, queue, "stack");
        ReleaseGil unlocked(parts.arrays[0].size());
        return stack(parts.arrays, axis, parts.where());
      },
      nb::arg("arrays"), nb::arg("axis") = 0, nb::kw_only(), nb::arg("queue").none() = nb::none(),
      documentation("stack"));
  nb::enum_<Border>(m, "Border")
      .value("constant", Border::kConstant)
      .value("edge", Border::kEdge)
      .value("wrap", Border::kWrap)
      .value("reflect", Border::kReflect)
      .value("symmetric", Border::kSymmetric);
  m.def(
      "pad",
      [](const Array& x, const std::vector<std::pair<int64_t, int64_t>>& widths, Border border,
         nb::handle constant) {
        const auto value = operand_of(constant.ptr(), x.dtype());
        if (!value || value->is_array())
          throw Error(ErrorKind::kType, "pad", "the constant is not a number");
        ReleaseGil unlocked(x.size());
        return pad(x, widths, border, value->scalar());
      },
      nb::arg("x"), nb::arg("widths"), nb::arg("border"), nb::arg("constant"),
      "x with elements around it: a constant, its edges, itself (wrap), or its mirror image\n"
      "without (reflect) or with (symmetric) the last elements. Lazy.");
  m.def("roll", rolled, nb::arg("x"), nb::arg("shift"), nb::arg("axis").none() = nb::none(),
        nb::kw_only(), nb::arg("queue").none() = nb::none(), documentation("roll"));
  m.def("repeat", repeated, nb::arg("x"), nb::arg("repeats"), nb::arg("axis").none() = nb::none(),
        nb::kw_only(), nb::arg("queue").none() = nb::none(), documentation("repeat"));
  m.def(
      "tile",
      [](const Array& given, nb::handle repetitions, nb::handle queue) {
        const Array x = on_explicit_queue(given, queue, "tile");
        const Dims repeats = to_shape(repetitions, "repetitions");
        ReleaseGil unlocked;
        return tile(x, repeats);
      },
      nb::arg("x"), nb::arg("repetitions"), nb::kw_only(), nb::arg("queue").none() = nb::none(),
      documentation("tile"));
}

}  // namespace hither::python
