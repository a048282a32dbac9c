#include "python/convert/array_argument.h"

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/convert/cuda_interface.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/interface_fields.h"
#include "python/convert/usm_interface.h"

namespace hither::python {
namespace {

// The int, or nothing and its sign in `overflow` if it is beyond 64 bits.
std::optional<Scalar> from_narrow_int(PyObject* object, int& overflow) {
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) {
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return Scalar(static_cast<int64_t>(value));
  }
  if (overflow > 0) {
    const unsigned long long wide = PyLong_AsUnsignedLongLong(object);
    if (!PyErr_Occurred()) return Scalar(static_cast<uint64_t>(wide));
    PyErr_Clear();
  }
  return std::nullopt;
}

Scalar from_int(PyObject* object, DType other_dtype) {
  int overflow = 0;
  if (const auto narrow = from_narrow_int(object, overflow)) return *narrow;
  if (is_floating(other_dtype) || is_complex(other_dtype)) {
    const double real = PyLong_AsDouble(object);
    if (real == -1 && PyErr_Occurred()) throw nb::python_error();
    return Scalar(real);
  }
  throw Error(
      ErrorKind::kOverflow, "scalar",
      fmt::format("the Python int {} does not fit {}",
                  nb::cast<std::string>(nb::str(nb::handle(object))), name_of(other_dtype)));
}

Scalar from_complex(PyObject* object) {
  return Scalar(
      std::complex<double>(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)));
}

Scalar from_numpy_scalar(nb::handle object) {
  const DType dtype = dtype_argument(object.attr("dtype"), "scalar");
  switch (kind_of(dtype)) {
    case DTypeKind::kBool:
      return Scalar(PyObject_IsTrue(object.ptr()) == 1).typed(dtype);
    case DTypeKind::kInt:
    case DTypeKind::kUInt: {
      nb::object integer = nb::steal(PyNumber_Index(object.ptr()));
      if (!integer.is_valid()) throw nb::python_error();
      return from_int(integer.ptr(), dtype).typed(dtype);
    }
    case DTypeKind::kFloat:
      return Scalar(PyFloat_AsDouble(object.ptr())).typed(dtype);
    case DTypeKind::kComplex:
      break;
  }
  return from_complex(nb::object(object.attr("__complex__")()).ptr()).typed(dtype);
}

Scalar from_traced_number(PyObject* object, DType other_dtype) {
  const nb::handle traced(object);
  const nb::object value = traced.attr("value");
  const Scalar scalar = PyFloat_Check(value.ptr())     ? Scalar(PyFloat_AsDouble(value.ptr()))
                        : PyComplex_Check(value.ptr()) ? from_complex(value.ptr())
                                                       : from_int(value.ptr(), other_dtype);
  return scalar.symbolic(nb::cast<uint16_t>(traced.attr("symbol")));
}

// array[()], a NumPy scalar in native byte order.
nb::object element_of_zero_dimensional(PyObject* array) {
  nb::object element = nb::steal(PyObject_GetItem(array, nb::tuple().ptr()));
  if (!element.is_valid()) throw nb::python_error();
  return element;
}

}  // namespace

PyTypeObject* traced_number_type = nullptr;

bool is_zero_dimensional(PyObject* object) {
  return Py_TYPE(object) == numpy_array_type &&
         nb::cast<int>(nb::handle(object).attr("ndim")) == 0 &&
         is_numpy_scalar(element_of_zero_dimensional(object).ptr());
}

std::optional<Scalar> scalar_of(PyObject* object, DType other_dtype) {
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyFloat_Type) return Scalar(PyFloat_AsDouble(object));
  if (type == &PyLong_Type) return from_int(object, other_dtype);
  if (type == &PyBool_Type) return Scalar(object == Py_True);
  if (type == &PyComplex_Type) return from_complex(object);
  if (type == traced_number_type) return from_traced_number(object, other_dtype);
  if (is_numpy_scalar(object)) return from_numpy_scalar(object);
  if (PyLong_Check(object)) return from_int(object, other_dtype);
  if (PyFloat_Check(object)) return Scalar(PyFloat_AsDouble(object));
  if (PyComplex_Check(object)) return from_complex(object);
  if (is_zero_dimensional(object)) return from_numpy_scalar(element_of_zero_dimensional(object));
  return std::nullopt;
}

std::optional<Operand> operand_of(Op op, PyObject* object, DType other_dtype) {
  const bool compares = op >= Op::equal && op <= Op::greater_equal;
  int overflow = 0;
  if (compares && is_integer(other_dtype) && PyLong_CheckExact(object) &&
      !from_narrow_int(object, overflow))
    return Operand(Scalar(overflow < 0 ? -HUGE_VAL : HUGE_VAL));
  return operand_of(object, other_dtype);
}

bool is_host_array(PyObject* object) noexcept {
  return is_numpy_array(object) ||
         (!is_array(object) && !is_numpy_scalar(object) && PyObject_CheckBuffer(object));
}

bool is_foreign_usm_array(PyObject* object) {
  return !is_array(object) && Py_TYPE(object) != numpy_array_type &&
         (offers(object, kUsmInterfaceName) || is_foreign_cuda_array(object));
}

std::string type_name(PyObject* object) {
  nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  const std::string module = nb::cast<std::string>(nb::str(type.attr("__module__")));
  const std::string name = nb::cast<std::string>(nb::str(type.attr("__qualname__")));
  return module == "builtins" ? name : module + "." + name;
}

std::string a_type(PyObject* object) {
  const std::string name = type_name(object);
  const bool vowel = std::string_view("aeioAEIO").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
}

namespace {

int64_t integer_of(nb::handle item, nb::handle whole, const char* where) {
  const nb::object index = nb::steal(PyNumber_Index(item.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    throw Error(ErrorKind::kType, where,
                fmt::format("{} is neither an integer nor a sequence of integers",
                            nb::cast<std::string>(nb::repr(whole))));
  }
  int overflow = 0;
  const int64_t value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0)
    throw Error(ErrorKind::kValue, where,
                fmt::format("{} does not fit in 64 bits", nb::cast<std::string>(nb::repr(item))));
  return value;
}

}  // namespace

int64_t to_integer(nb::handle object, const char* where) {
  return integer_of(object, object, where);
}

Dims to_integers(nb::handle object, const char* where) {
  const auto integer = [&](PyObject* item) { return integer_of(item, object, where); };
  Dims values;
  if (PyLong_Check(object.ptr()) || !PySequence_Check(object.ptr())) {
    values.push_back(integer(object.ptr()));
    return values;
  }
  const Py_ssize_t count = PySequence_Size(object.ptr());
  if (count < 0 && PyIndex_Check(object.ptr())) {  // an array of no dimension
    PyErr_Clear();
    values.push_back(integer(object.ptr()));
    return values;
  }
  if (count < 0) throw nb::python_error();
  if (count > kMaxRank) {
    throw Error(
        ErrorKind::kValue, where,
        fmt::format("{} numbers were given; an array has at most {} dimensions", count, kMaxRank));
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    nb::object item = nb::steal(PySequence_GetItem(object.ptr(), i));
    if (!item.is_valid()) throw nb::python_error();
    values.push_back(integer(item.ptr()));
  }
  return values;
}

Dims to_shape(nb::handle object, const char* where) {
  Dims shape = to_integers(object, where);
  for (int64_t extent : shape) {
    if (extent < 0) {
      throw Error(ErrorKind::kValue, where,
                  fmt::format("{} has a negative extent", nb::cast<std::string>(nb::repr(object))));
    }
  }
  return shape;
}

nb::tuple to_tuple(const Dims& dims, int64_t scale) {
  auto tuple = nb::steal<nb::tuple>(PyTuple_New(dims.size()));
  if (!tuple.is_valid()) throw nb::python_error();
  for (int i = 0; i < dims.size(); ++i) {
    PyObject* value = PyLong_FromLongLong(dims[i] * scale);
    if (!value) throw nb::python_error();
    PyTuple_SetItem(tuple.ptr(), i, value);
  }
  return tuple;
}

UsmType to_usm_type(nb::handle object) {
  if (nb::isinstance<nb::str>(object)) {
    const auto name = nb::cast<std::string>(object);
    for (UsmType type : {UsmType::kDevice, UsmType::kShared, UsmType::kHost}) {
      if (name_of(type) == name) return type;
    }
  }
  throw Error(ErrorKind::kValue, "usm_type",
              fmt::format("{} is not \"device\", \"shared\" or \"host\"",
                          nb::cast<std::string>(nb::repr(object))));
}

Allocate to_allocate(const WhereKeywords& where, const Array* like) {
  auto queue = explicit_queue(where.queue, where.sycl_queue, where.device);
  UsmType usm_type = like ? like->usm_type() : UsmType::kDevice;
  if (!where.usm_type.is_none()) usm_type = to_usm_type(where.usm_type);
  if (!queue) queue = like ? like->queue() : resolve_queue(nb::none());
  return {*queue, usm_type};
}

}  // namespace hither::python
