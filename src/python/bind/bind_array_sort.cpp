// hither.sort and hither.argsort.
#include <hither/sort.h>

#include "python/bind/bindings.h"
#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

using Sort = Array (*)(const Array&, const SortOptions&, const Queue*);

// Every sort is stable.
Array sorted(Sort sort, const char* name, nb::handle x, nb::handle axis, bool descending,
             nb::handle queue) {
  constexpr std::string_view names[] = {"x"};
  const auto wanted = explicit_queue(queue);
  PyObject* const arguments[] = {x.ptr()};
  const SortOptions options{.axis = to_integer(axis, "axis"), .descending = descending};
  const PlacedCall placed(name, arguments, names, wanted ? &*wanted : nullptr);
  if (!placed.operands()[0].is_array())
    throw Error(ErrorKind::kType, name, "x is a number; it must be an array");
  const Array& given = placed.operands()[0].array();
  ReleaseGil unlocked;
  return sort(given, options, placed.queue());
}

void def_sort(nb::module_& m, Sort sort, const char* name, const char* doc) {
  m.def(
      name,
      [sort, name](nb::handle x, nb::handle axis, bool descending, bool, nb::handle queue) {
        return sorted(sort, name, x, axis, descending, queue);
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis") = -1, nb::arg("descending") = false,
      nb::arg("stable") = true, nb::arg("queue").none() = nb::none(), doc);
}

constexpr const char* kSort = R"(The elements of an array in order along an axis.

Parameters
----------
x : Array
    An array of any dtype, with one dimension or more.
axis : int
    The axis; negative ones count from the end.
descending : bool
    The largest elements come first.
stable : bool
    Has no effect: every sort is stable.
queue : Queue, optional
    Runs there instead of on the queue of x.

Returns
-------
Array
    An array of x's shape and dtype.

Raises
------
AxisError
    If the axis is out of range.
InvalidValueError
    If the filter string names no device.

Notes
-----
NaNs come last, in both directions. Complex elements are ordered by their real parts, then by
their imaginary parts. The result is computed when it is needed.

Examples
--------
>>> ht.sort(ht.asarray([3, 1, 2], device="native_cpu"))
Array([1, 2, 3]))";

constexpr const char* kArgsort = R"(The indices that sort an array along an axis.

Parameters
----------
x : Array
    An array of any dtype, with one dimension or more.
axis : int
    The axis; negative ones count from the end.
descending : bool
    The indices of the largest elements come first.
stable : bool
    Has no effect: every sort is stable. Equal elements keep their order, in both directions.
queue : Queue, optional
    Runs there instead of on the queue of x.

Returns
-------
Array
    int64 indices of x's shape.

Raises
------
AxisError
    If the axis is out of range.
InvalidValueError
    If the filter string names no device.

Notes
-----
NaNs come last, in both directions, and all NaNs are equal in order; so are -0.0 and 0.0.

Examples
--------
>>> ht.argsort(ht.asarray([3, 1, 2], device="native_cpu"))
Array([1, 2, 0]))";

}  // namespace

void bind_array_sort(nb::module_& m) {
  def_sort(m, sort, "sort", kSort);
  def_sort(m, argsort, "argsort", kArgsort);
}

}  // namespace hither::python
