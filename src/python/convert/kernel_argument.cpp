#include "python/convert/kernel_argument.h"

#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/convert/array_argument.h"
#include "python/convert/cuda_interface.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/interface_fields.h"
#include "python/convert/local_accessor.h"
#include "python/interpreter/interned.h"

namespace hither::python {
namespace {

std::optional<DType> dtype_of(char letter, Py_ssize_t bytes) {
  const std::string_view signed_letters = "bhilqn", unsigned_letters = "BHILQN";
  int width = 0;
  while ((1 << width) < bytes) ++width;
  if (signed_letters.find(letter) != std::string_view::npos)
    return static_cast<DType>(static_cast<int>(DType::kInt8) + width);
  if (unsigned_letters.find(letter) != std::string_view::npos)
    return static_cast<DType>(static_cast<int>(DType::kUInt8) + width);
  switch (letter) {
    case '?':
      return DType::kBool;
    case 'e':
      return DType::kFloat16;
    case 'f':
      return DType::kFloat32;
    case 'd':
      return DType::kFloat64;
    default:
      return std::nullopt;
  }
}

// The dtype of a format of the buffer protocol in native byte order.
std::optional<DType> dtype_of_format(const char* format, Py_ssize_t bytes) {
  std::string_view text = format ? format : "B";
  if (!text.empty() && std::string_view("@=<").find(text[0]) != std::string_view::npos)
    text.remove_prefix(1);
  if (text == "Zf") return DType::kComplex64;
  if (text == "Zd") return DType::kComplex128;
  return text.size() == 1 ? dtype_of(text[0], bytes) : std::nullopt;
}

[[noreturn]] void refuse_dtype(const std::string& parameter, const std::string& type,
                               const char* format) {
  throw Error(
      ErrorKind::kType, parameter,
      fmt::format("is a {} of format \"{}\", which kernels do not take; they take booleans, "
                  "integers, floats and complex numbers in the byte order of this machine",
                  type, format ? format : ""));
}

}  // namespace

launch::Argument& KernelArguments::append(launch::ArgumentKind kind, DType dtype) {
  launch::Argument& argument = arguments_.emplace_back();
  argument.kind = kind;
  argument.dtype = dtype;
  return argument;
}

void KernelArguments::add(PyObject* object, const std::string& kernel,
                          const std::string& parameter) {
  if (PyTuple_Check(object)) {
    if (nesting_.empty()) nesting_.assign(arguments_.size(), launch::NestingToken::kLeaf);
    return add_tuple(object, kernel, parameter);
  }
  add_leaf(object, kernel, parameter);
  if (!nesting_.empty()) nesting_.push_back(launch::NestingToken::kLeaf);
}

void KernelArguments::add_tuple(PyObject* object, const std::string& kernel,
                                const std::string& parameter) {
  const auto tuple = nb::borrow<nb::tuple>(object);
  nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  const uint32_t named = PyTuple_CheckExact(object) ? 0 : intern(type);
  nesting_.push_back(launch::NestingToken::tuple(static_cast<uint32_t>(tuple.size()), named));
  for (size_t i = 0; i < tuple.size(); ++i) {
    const std::string name = fmt::format("{}[{}]", parameter, i);
    if (PyTuple_Check(tuple[i].ptr())) {
      add_tuple(tuple[i].ptr(), kernel, name);
      continue;
    }
    add_leaf(tuple[i].ptr(), kernel, name);
    nesting_.push_back(launch::NestingToken::kLeaf);
  }
}

void KernelArguments::add_leaf(PyObject* object, const std::string& kernel,
                               const std::string& parameter) {
  if (is_array(object)) {
    const Array& array = array_of(object);
    append(launch::ArgumentKind::kArray, array.dtype()).array = &array;
    return;
  }
  if (add_python_number(object, parameter) || add_local(object) || add_record(object, parameter) ||
      add_numpy_number(object, parameter) || add_foreign_usm(object) ||
      add_host_array(object, parameter))
    return;
  throw Error(
      ErrorKind::kType, kernel,
      fmt::format("argument {} is {}; kernels take arrays, numbers, records and tuples of them",
                  parameter, a_type(object)));
}

bool KernelArguments::add_python_number(PyObject* object, const std::string& parameter) {
  if (Py_TYPE(object) == traced_number_type) {
    const nb::handle traced(object);
    const nb::object value = traced.attr("value");
    const bool added = add_python_number(value.ptr(), parameter);
    arguments_.back().symbol = nb::cast<uint16_t>(traced.attr("symbol"));
    return added;
  }
  auto set = [&](DType dtype, const auto& value) {
    std::memcpy(append(launch::ArgumentKind::kScalar, dtype).number, &value, sizeof value);
    return true;
  };
  if (PyFloat_CheckExact(object)) return set(DType::kFloat64, PyFloat_AsDouble(object));
  if (PyBool_Check(object)) return set(DType::kBool, static_cast<uint8_t>(object == Py_True));
  if (PyLong_Check(object)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) return set(DType::kInt64, value);
    const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      throw Error(ErrorKind::kOverflow, parameter, "the integer needs more than 64 bits");
    }
    return set(DType::kUInt64, large);
  }
  if (PyComplex_CheckExact(object)) {
    const double parts[2] = {PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)};
    return set(DType::kComplex128, parts);
  }
  return false;
}

bool KernelArguments::add_numpy_number(PyObject* object, const std::string& parameter) {
  if (!is_numpy_scalar(object)) return false;
  Py_buffer view{};
  if (PyObject_GetBuffer(object, &view, PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    refuse_dtype(parameter, type_name(object), nullptr);
  }
  const auto dtype = dtype_of_format(view.format, view.itemsize);
  if (dtype)
    std::memcpy(append(launch::ArgumentKind::kScalar, *dtype).number, view.buf,
                static_cast<size_t>(view.itemsize));
  const std::string format = view.format ? view.format : "";
  PyBuffer_Release(&view);
  if (!dtype) refuse_dtype(parameter, type_name(object), format.c_str());
  return true;
}

bool KernelArguments::add_local(PyObject* object) {
  if (!nb::isinstance<LocalAccessor>(nb::handle(object))) return false;
  const auto& accessor = nb::cast<const LocalAccessor&>(nb::handle(object));
  append(launch::ArgumentKind::kLocal, accessor.dtype).shape = &accessor.shape;
  return true;
}

// A NumPy scalar of a structured dtype.
bool KernelArguments::add_record(PyObject* object, const std::string& parameter) {
  if (!is_numpy_scalar(object)) return false;
  nb::object dtype = nb::handle(object).attr("dtype");
  if (dtype.attr("names").is_none()) return false;
  auto host = std::make_unique<HostArray>();
  if (PyObject_GetBuffer(object, &host->buffer, PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    refuse_dtype(parameter, type_name(object), nullptr);
  }
  launch::Argument& argument = append(launch::ArgumentKind::kScalar, DType::kUInt8);
  argument.record = intern(dtype);
  argument.record_bytes = static_cast<uint32_t>(host->buffer.itemsize);
  argument.data = host->buffer.buf;
  hosts_.push_back(std::move(host));
  return true;
}

bool KernelArguments::add_foreign_usm(PyObject* object) {
  if (Py_TYPE(object) == numpy_array_type) return false;
  nb::handle handle(object);
  if (!offers(handle, kUsmInterfaceName)) {
    if (!is_foreign_cuda_array(object)) return false;
    const Array& x = *imported_.emplace_back(std::make_unique<Array>(import_cuda_array(handle)));
    append(launch::ArgumentKind::kArray, x.dtype()).array = &x;
    return true;
  }
  auto& found = foreign_.emplace_back(
      std::make_unique<ForeignUsm>(read_usm_interface(handle), type_name(object)));
  const UsmView& view = found->view;
  launch::Argument& argument = append(launch::ArgumentKind::kUsm, view.dtype);
  argument.read_only = view.read_only;
  argument.usm_type = view.usm_type;
  argument.data = view.data;
  argument.shape = &view.shape;
  argument.strides = &view.strides;
  argument.queue = &view.queue;
  argument.type_name = found->type_name;
  return true;
}

bool KernelArguments::add_host_array(PyObject* object, const std::string& parameter) {
  if (!PyObject_CheckBuffer(object)) return false;
  auto host = std::make_unique<HostArray>();
  if (PyObject_GetBuffer(object, &host->buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    refuse_dtype(parameter, type_name(object), nullptr);
  }
  const Py_buffer& view = host->buffer;
  const bool record = view.format && view.format[0] == 'T' && is_numpy_array(object);
  const auto dtype = record ? DType::kUInt8 : dtype_of_format(view.format, view.itemsize);
  if (!dtype || (!record && view.itemsize != size_of(*dtype)))
    refuse_dtype(parameter, type_name(object), view.format);
  if (view.ndim > kMaxRank)
    throw Error(ErrorKind::kValue, parameter,
                fmt::format("has {} dimensions, an array has at most {}", view.ndim, kMaxRank));
  for (int d = 0; d < view.ndim; ++d) {
    host->shape.push_back(view.shape[d]);
    host->strides.push_back(view.strides[d]);
  }
  host->type_name = type_name(object);
  launch::Argument& argument = append(launch::ArgumentKind::kHost, *dtype);
  if (record) {
    argument.record = intern(nb::handle(object).attr("dtype"));
    argument.record_bytes = static_cast<uint32_t>(view.itemsize);
  }
  argument.read_only = view.readonly != 0;
  argument.data = view.buf;
  argument.shape = &host->shape;
  argument.strides = &host->strides;
  argument.type_name = host->type_name;
  hosts_.push_back(std::move(host));
  return true;
}

}  // namespace hither::python
