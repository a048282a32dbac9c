// Operators of hither.Array as number slots: CPython calls the C++ operation without dispatch.
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/linalg.h>
#include <hither/ops.h>
#include <hither/recording.h>

#include "python/bind/array_slots.h"
#include "python/bind/bindings.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/host_operand.h"
#include "python/convert/list_import.h"

namespace hither::python {
namespace {

PyObject* not_implemented() noexcept {
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

PlacedCall place_operands(std::string_view operation, PyObject* left, PyObject* right) {
  PyObject* const operands[] = {left, right};
  static constexpr std::string_view kNames[2];
  return PlacedCall(operation, operands, kNames, nullptr);
}

// The sequence as an array where x is. NumPy's arrays inside it are operands in host memory.
Array sequence_beside(const Array& x, PyObject* sequence, std::string_view operation) {
  for (nb::handle item : nb::borrow<nb::sequence>(sequence)) {
    if (is_host_array(item.ptr())) refuse_host_item(operation, sequence, item.ptr(), x);
  }
  return import_any(sequence, {.queue = x.queue(), .usm_type = x.usm_type()});
}

// x * sequence and sequence * x repeat the sequence, as NumPy's scalars do: results without
// dimensions are often counts.
bool repeats(Op op, const Array& x, PyObject* sequence) {
  PyTypeObject* type = Py_TYPE(sequence);
  return op == Op::multiply && x.ndim() == 0 && is_integer(x.dtype()) &&
         PyType_GetSlot(type, Py_sq_repeat) && !PyType_GetSlot(type, Py_nb_multiply);
}

// At least one operand is a hither array. Empty if Python should try the type of the other operand.
Array apply_foreign(Op op, PyObject* left, PyObject* right) {
  const bool left_is_array = is_array(left);
  PyObject* other = left_is_array ? right : left;
  if (is_foreign_usm_array(other)) {
    const PlacedCall placed = place_operands(info_of(op).name, left, right);
    ReleaseGil unlocked;
    return apply(op, placed.operands());
  }
  const Array& array = array_of(left_is_array ? left : right);
  // An array without dimensions is a number for NumPy's arrays: their operator gets it.
  if (is_numpy_array(other) && array.ndim() == 0) return Array();
  if (repeats(op, array, other)) return Array();
  if (is_host_array(other)) refuse_host_operand(info_of(op).name, left, right);
  if (!is_sequence(other)) return Array();
  const Operand x(array);
  const Array items = sequence_beside(x.array(), other, info_of(op).name);
  const Operand operands[] = {left_is_array ? x : Operand(items),
                              left_is_array ? Operand(items) : x};
  ReleaseGil unlocked;
  return apply(op, operands);
}

// NumPy's operator computes x ** 0.5 by sqrt(), also for -0.0 and -inf, where pow() has other
// values.
bool is_square_root(const Operand& base, const Operand& exponent) {
  if (exponent.is_array() || !exponent.scalar().is_weak() || !base.is_array()) return false;
  const Scalar& s = exponent.scalar();
  const DType dtype = base.array().dtype();
  Recorder::depend_on(s);
  return s.kind() == Scalar::Kind::kFloat && s.real() == 0.5 &&
         (is_floating(dtype) || is_complex(dtype));
}

Array apply_binary(Op op, PyObject* left, PyObject* right) {
  const bool left_is_array = is_array(left);
  const DType other_dtype = array_of(left_is_array ? left : right).dtype();
  const auto x1 = operand_of(op, left, other_dtype);
  const auto x2 = operand_of(op, right, other_dtype);
  if (!x1 || !x2) return apply_foreign(op, left, right);
  const Operand operands[] = {*x1, *x2};
  ReleaseGil unlocked;
  if (op == Op::power && is_square_root(*x1, *x2))
    return apply(Op::sqrt, std::span(operands).first(1));
  return apply(op, operands);
}

template <Op op>
PyObject* binary(PyObject* left, PyObject* right) {
  return guarded([&] {
    Array result = apply_binary(op, left, right);
    return result ? wrap(std::move(result)) : not_implemented();
  });
}

template <Op op>
PyObject* unary(PyObject* self) {
  return guarded([&] {
    const Operand x(array_of(self));
    return wrap(unlocked([&] { return apply(op, std::span(&x, 1)); }));
  });
}

// x op= y keeps x's dtype and writes to x's memory, which other arrays may share.
PyObject* store_result(PyObject* self, Array value, std::string_view operation) {
  const Array& x = array_of(self);
  if (!can_cast_same_kind(value.dtype(), x.dtype())) {
    throw Error(
        ErrorKind::kType, std::string(operation),
        fmt::format("the result is {} and cannot be stored in place in {}; write x = x op y, "
                    "or cast with hither.astype",
                    name_of(value.dtype()), name_of(x.dtype())));
  }
  {
    ReleaseGil unlocked(x.size());
    assign_moved(x, std::move(value));
  }
  Py_INCREF(self);
  return self;
}

// For augmented assignment a 0-dimensional array is like a NumPy scalar: the variable is bound to a
// new array, and other references keep the old one.
template <Op op>
PyObject* in_place(PyObject* self, PyObject* other) {
  if (array_of(self).ndim() == 0) return not_implemented();  // Python then evaluates self op other
  return guarded([&]() -> PyObject* {
    const Unstored operand(temporary_array(other));
    Array value = apply_binary(op, self, other);
    if (!value) return not_implemented();
    return store_result(self, std::move(value), info_of(op).name);
  });
}

// Products take no numbers. Empty if Python should try the type of the other operand.
Array multiply_matrices(PyObject* left, PyObject* right) {
  if (is_array(left) && is_array(right)) {
    ReleaseGil unlocked;
    return matmul(array_of(left), array_of(right));
  }
  PyObject* other = is_array(left) ? right : left;
  if (is_foreign_usm_array(other)) {
    const PlacedCall placed = place_operands("matmul", left, right);
    ReleaseGil unlocked;
    return matmul(placed.operands()[0].array(), placed.operands()[1].array());
  }
  if (is_host_array(other)) refuse_host_operand("matmul", left, right);
  if (!is_sequence(other)) return Array();
  const Array& x = array_of(is_array(left) ? left : right);
  const Array items = sequence_beside(x, other, "matmul");
  ReleaseGil unlocked;
  return is_array(left) ? matmul(x, items) : matmul(items, x);
}

PyObject* matmul_slot(PyObject* left, PyObject* right) {
  return guarded([&] {
    Array result = multiply_matrices(left, right);
    return result ? wrap(std::move(result)) : not_implemented();
  });
}

PyObject* matmul_in_place(PyObject* self, PyObject* other) {
  return guarded([&]() -> PyObject* {
    Array value = multiply_matrices(self, other);
    if (!value) return not_implemented();
    return store_result(self, std::move(value), "matmul");
  });
}

PyObject* power_slot(PyObject* left, PyObject* right, PyObject* modulus) {
  if (modulus != Py_None) {
    PyErr_SetString(PyExc_TypeError, "pow() of arrays takes no modulus");
    return nullptr;
  }
  if (!is_array(left) && !is_array(right)) return not_implemented();
  return binary<Op::power>(left, right);
}

PyObject* power_in_place(PyObject* self, PyObject* other, PyObject*) {
  return in_place<Op::power>(self, other);
}

PyObject* divmod_slot(PyObject* left, PyObject* right) {
  PyObject* quotient = binary<Op::floor_divide>(left, right);
  if (!quotient || quotient == Py_NotImplemented) return quotient;
  PyObject* rest = binary<Op::remainder>(left, right);
  PyObject* both = rest ? PyTuple_Pack(2, quotient, rest) : nullptr;
  Py_DECREF(quotient);
  Py_XDECREF(rest);
  return both;
}

PyObject* compare(PyObject* left, PyObject* right, int comparison) {
  switch (comparison) {
    case Py_LT:
      return binary<Op::less>(left, right);
    case Py_LE:
      return binary<Op::less_equal>(left, right);
    case Py_EQ:
      return binary<Op::equal>(left, right);
    case Py_NE:
      return binary<Op::not_equal>(left, right);
    case Py_GT:
      return binary<Op::greater>(left, right);
    default:
      return binary<Op::greater_equal>(left, right);
  }
}

}  // namespace

#define HITHER_SLOT(id, function) {id, reinterpret_cast<void*>(function)}
const PyType_Slot array_operator_slots[] = {
    HITHER_SLOT(Py_nb_add, binary<Op::add>),
    HITHER_SLOT(Py_nb_subtract, binary<Op::subtract>),
    HITHER_SLOT(Py_nb_multiply, binary<Op::multiply>),
    HITHER_SLOT(Py_nb_true_divide, binary<Op::divide>),
    HITHER_SLOT(Py_nb_floor_divide, binary<Op::floor_divide>),
    HITHER_SLOT(Py_nb_remainder, binary<Op::remainder>),
    HITHER_SLOT(Py_nb_divmod, divmod_slot),
    HITHER_SLOT(Py_nb_power, power_slot),
    HITHER_SLOT(Py_nb_and, binary<Op::bitwise_and>),
    HITHER_SLOT(Py_nb_or, binary<Op::bitwise_or>),
    HITHER_SLOT(Py_nb_xor, binary<Op::bitwise_xor>),
    HITHER_SLOT(Py_nb_lshift, binary<Op::bitwise_left_shift>),
    HITHER_SLOT(Py_nb_rshift, binary<Op::bitwise_right_shift>),
    HITHER_SLOT(Py_nb_negative, unary<Op::negative>),
    HITHER_SLOT(Py_nb_positive, unary<Op::positive>),
    HITHER_SLOT(Py_nb_absolute, unary<Op::absolute>),
    HITHER_SLOT(Py_nb_invert, unary<Op::bitwise_invert>),
    HITHER_SLOT(Py_nb_inplace_add, in_place<Op::add>),
    HITHER_SLOT(Py_nb_inplace_subtract, in_place<Op::subtract>),
    HITHER_SLOT(Py_nb_inplace_multiply, in_place<Op::multiply>),
    HITHER_SLOT(Py_nb_inplace_true_divide, in_place<Op::divide>),
    HITHER_SLOT(Py_nb_inplace_floor_divide, in_place<Op::floor_divide>),
    HITHER_SLOT(Py_nb_inplace_remainder, in_place<Op::remainder>),
    HITHER_SLOT(Py_nb_inplace_power, power_in_place),
    HITHER_SLOT(Py_nb_inplace_and, in_place<Op::bitwise_and>),
    HITHER_SLOT(Py_nb_inplace_or, in_place<Op::bitwise_or>),
    HITHER_SLOT(Py_nb_inplace_xor, in_place<Op::bitwise_xor>),
    HITHER_SLOT(Py_nb_inplace_lshift, in_place<Op::bitwise_left_shift>),
    HITHER_SLOT(Py_nb_inplace_rshift, in_place<Op::bitwise_right_shift>),
    HITHER_SLOT(Py_nb_matrix_multiply, matmul_slot),
    HITHER_SLOT(Py_nb_inplace_matrix_multiply, matmul_in_place),
    HITHER_SLOT(Py_tp_richcompare, compare),
    HITHER_SLOT(Py_tp_hash, PyObject_HashNotImplemented),
    {0, nullptr},
};
#undef HITHER_SLOT

}  // namespace hither::python
