#include "python/kernel_argument.h"

#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/array_object.h"

namespace hither::python {
namespace {

std::string qualified_name(PyObject* object) {
  nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  auto module = nb::cast<std::string>(type.attr("__module__"));
  auto name = nb::cast<std::string>(type.attr("__qualname__"));
  return module == "builtins" ? name : module + "." + name;
}

// numpy.generic, the base of NumPy's numbers; null until somebody imports NumPy. Borrowed for the
// life of the process.
PyObject* numpy_number_type() {
  static PyObject* type = nullptr;
  if (type) return type;
  nb::object modules = nb::module_::import_("sys").attr("modules");
  nb::object numpy = modules.attr("get")("numpy");
  if (!numpy.is_none()) type = nb::object(numpy.attr("generic")).release().ptr();
  return type;
}

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

// The buffer protocol's format in this machine's byte order.
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
  if (is_array(object)) {
    const Array& array = array_of(object);
    append(launch::ArgumentKind::kArray, array.dtype()).array = &array;
    return;
  }
  if (add_python_number(object, parameter) || add_numpy_number(object, parameter) ||
      add_foreign_usm(object) || add_host_array(object, parameter))
    return;
  throw Error(ErrorKind::kType, kernel,
              fmt::format("argument {} is a {}; kernels take arrays and numbers", parameter,
                          qualified_name(object)));
}

bool KernelArguments::add_python_number(PyObject* object, const std::string& parameter) {
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
  PyObject* type = numpy_number_type();
  if (!type || PyObject_IsInstance(object, type) != 1) return false;
  Py_buffer view{};
  if (PyObject_GetBuffer(object, &view, PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    refuse_dtype(parameter, qualified_name(object), nullptr);
  }
  const auto dtype = dtype_of_format(view.format, view.itemsize);
  if (dtype)
    std::memcpy(append(launch::ArgumentKind::kScalar, *dtype).number, view.buf,
                static_cast<size_t>(view.itemsize));
  const std::string format = view.format ? view.format : "";
  PyBuffer_Release(&view);
  if (!dtype) refuse_dtype(parameter, qualified_name(object), format.c_str());
  return true;
}

bool KernelArguments::add_foreign_usm(PyObject* object) {
  nb::handle handle(object);
  if (!nb::hasattr(handle, kUsmInterfaceName)) return false;
  auto& found = foreign_.emplace_back(
      std::make_unique<ForeignUsm>(read_usm_interface(handle), qualified_name(object)));
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
    refuse_dtype(parameter, qualified_name(object), nullptr);
  }
  const Py_buffer& view = host->buffer;
  const auto dtype = dtype_of_format(view.format, view.itemsize);
  if (!dtype || view.itemsize != size_of(*dtype))
    refuse_dtype(parameter, qualified_name(object), view.format);
  if (view.ndim > kMaxRank)
    throw Error(ErrorKind::kValue, parameter,
                fmt::format("has {} dimensions, an array has at most {}", view.ndim, kMaxRank));
  for (int d = 0; d < view.ndim; ++d) {
    host->shape.push_back(view.shape[d]);
    host->strides.push_back(view.strides[d]);
  }
  host->type_name = qualified_name(object);
  launch::Argument& argument = append(launch::ArgumentKind::kHost, *dtype);
  argument.read_only = view.readonly != 0;
  argument.data = view.buf;
  argument.shape = &host->shape;
  argument.strides = &host->strides;
  argument.type_name = host->type_name;
  hosts_.push_back(std::move(host));
  return true;
}

}  // namespace hither::python
