#include "python/dispatch/matched_call.h"

#include <cstring>

#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"

namespace hither::python {
namespace {

bool same_names(PyObject* names, const nb::object& known) {
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  const Py_ssize_t recorded = known.is_valid() ? PyTuple_Size(known.ptr()) : 0;
  if (count != recorded) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *a = PyTuple_GetItem(names, i), *b = PyTuple_GetItem(known.ptr(), i);
    if (a != b && PyUnicode_Compare(a, b) != 0) return false;
  }
  return true;
}

bool same_context(const CallProgram& p) {
  const auto now = context_queue();
  return now.has_value() == p.context.has_value() && (!now || *now == *p.context);
}

bool is_fixed_value(PyObject* number, PyObject* known) {
  if (PyFloat_CheckExact(number)) {
    const double a = PyFloat_AsDouble(number), b = PyFloat_AsDouble(known);
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
  const int equal = PyObject_RichCompareBool(number, known, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal == 1;
}

// Whether an integer has at most 64 bits; larger ones become other kinds of scalars, or none.
bool fits_scalar(PyObject* integer) {
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(integer, &overflow);
  if (overflow <= 0) return overflow == 0;
  PyLong_AsUnsignedLongLong(integer);
  const bool fits = !PyErr_Occurred();
  PyErr_Clear();
  return fits;
}

}  // namespace

void TakenDraws::give_back() noexcept {
  if (!reservation_.is_valid()) return;
  const nb::object reservation = std::move(reservation_);
  PyObject* const result = PyObject_CallMethod(reservation.ptr(), "give_back", nullptr);
  if (!result) PyErr_Clear();
  Py_XDECREF(result);
}

bool holds(const CallProgram& p, PyObject* const* arguments, Py_ssize_t positional, PyObject* names,
           MatchedCall& call) {
  if (positional != static_cast<Py_ssize_t>(p.positional) || !same_names(names, p.names))
    return false;
  const Py_ssize_t all = positional + (names ? PyTuple_Size(names) : 0);
  size_t at = 0;
  call.leaves.clear();
  for (Py_ssize_t i = 0; i < all; ++i)
    if (!matches(arguments[i], p.parts, at, call.leaves)) return false;
  for (const Variable& v : p.variables)
    if (!matches(v, p.parts, at, call.leaves)) return false;
  if (!same_context(p)) return false;
  call.kept.clear();
  call.kept.reserve(call.leaves.arrays.size() + call.leaves.numbers.size());
  for (const auto* leaves : {&call.leaves.arrays, &call.leaves.numbers})
    for (PyObject* leaf : *leaves) call.kept.push_back(nb::borrow(leaf));
  return numbers_hold(p, call);
}

bool numbers_hold(const CallProgram& p, MatchedCall& call) {
  for (size_t i = 0; i < p.fixed.size(); ++i)
    if (p.fixed[i].is_valid() && !is_fixed_value(call.leaves.numbers[i], p.fixed[i].ptr()))
      return false;
  call.draws.reset();
  if (!p.numbers_of.is_valid()) return true;
  call.numbers = nb::steal(PyObject_Vectorcall(p.numbers_of.ptr(), call.leaves.numbers.data(),
                                               call.leaves.numbers.size(), nullptr));
  if (call.numbers.is_valid() && !call.numbers.is_none()) {
    if (!p.draws) return true;
    const nb::object both = std::move(call.numbers);
    call.numbers = nb::borrow(PyTuple_GetItem(both.ptr(), 0));
    call.draws = std::make_shared<TakenDraws>(nb::borrow(PyTuple_GetItem(both.ptr(), 1)));
    return true;
  }
  if (PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
    PyErr_Clear();
  }
  return false;
}

std::optional<std::vector<Scalar>> scalars_of(const MatchedCall& call) {
  std::vector<Scalar> scalars;
  const auto add = [&](PyObject* number) {
    if (PyLong_CheckExact(number) && !fits_scalar(number)) return false;
    const auto scalar = scalar_of(number, DType::kFloat64);
    if (scalar) scalars.push_back(*scalar);
    return scalar.has_value();
  };
  if (!call.numbers.is_valid()) {
    for (PyObject* number : call.leaves.numbers)
      if (!add(number)) return std::nullopt;
    return scalars;
  }
  for (Py_ssize_t i = 0; i < PyTuple_Size(call.numbers.ptr()); ++i)
    if (!add(PyTuple_GetItem(call.numbers.ptr(), i))) return std::nullopt;
  return scalars;
}

}  // namespace hither::python
