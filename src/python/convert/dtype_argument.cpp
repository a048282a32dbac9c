#include "python/convert/dtype_argument.h"

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "error/nearest_name.h"
#include "python/interpreter/shown.h"

namespace hither::python {

PyTypeObject* numpy_scalar_type = nullptr;
PyTypeObject* numpy_array_type = nullptr;

namespace {

constexpr bool kLittle = std::endian::native == std::endian::little;

// Borrowed for the life of the process.
std::array<PyObject*, kDTypeCount> dtypes;
std::array<PyObject*, kDTypeCount> scalar_types;
PyObject* dtype_class = nullptr;

std::optional<DType> known(PyObject* object) noexcept {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (object == dtypes[i] || object == scalar_types[i]) return static_cast<DType>(i);
  }
  return std::nullopt;
}

char kind_letter(DType dtype) {
  constexpr std::string_view kKinds = "biufc";
  return kKinds[static_cast<size_t>(kind_of(dtype))];
}

// Types such as numpy.longlong have dtype objects of their own.
std::optional<DType> by_typestr(nb::handle dtype) {
  const auto text = nb::cast<std::string>(dtype.attr("str"));
  for (int i = 0; i < kDTypeCount; ++i) {
    if (typestr(static_cast<DType>(i)) == text) return static_cast<DType>(i);
  }
  return std::nullopt;
}

nb::object to_numpy(nb::handle object) {
  if (object.is_none()) return nb::none();  // NumPy would read None as float64
  nb::object dtype = nb::steal(PyObject_CallFunctionObjArgs(dtype_class, object.ptr(), nullptr));
  if (dtype.is_valid()) return dtype;
  PyErr_Clear();
  return nb::none();
}

// ";" or a proposal for a misspelt name.
std::string proposal(nb::handle object) {
  std::vector<std::string_view> names{"float", "int", "complex"};
  for (int i = 0; i < kDTypeCount; ++i) names.push_back(name_of(static_cast<DType>(i)));
  if (!nb::isinstance<nb::str>(object)) return ".";
  const std::string proposed = error::did_you_mean(nb::cast<std::string>(object), names);
  return proposed.empty() ? "." : proposed;
}

PyTypeObject* class_named(const nb::module_& numpy, const char* name) {
  return reinterpret_cast<PyTypeObject*>(nb::object(numpy.attr(name)).release().ptr());
}

}  // namespace

std::string typestr(DType dtype) {
  const int size = size_of(dtype);
  return fmt::format("{}{}{}", size == 1 ? '|' : kLittle ? '<' : '>', kind_letter(dtype), size);
}

DType dtype_argument(nb::handle object, const char* where) {
  if (auto found = known(object.ptr())) return *found;
  const nb::object dtype = to_numpy(object);
  if (!dtype.is_none()) {
    if (auto found = known(dtype.ptr())) return *found;
    if (auto found = by_typestr(dtype)) return *found;
  }
  throw Error(
      ErrorKind::kType, where,
      fmt::format("{} is not a dtype that arrays can hold{} These are bool, int8 to int64, uint8 "
                  "to uint64, float16, float32, float64, complex64 and complex128",
                  shown(object), proposal(object)));
}

nb::handle dtype_object(DType dtype) { return dtypes[static_cast<size_t>(dtype)]; }

nb::handle scalar_type_object(DType dtype) { return scalar_types[static_cast<size_t>(dtype)]; }

void load_numpy_types() {
  nb::module_ numpy = nb::module_::import_("numpy");
  dtype_class = nb::object(numpy.attr("dtype")).release().ptr();
  numpy_scalar_type = class_named(numpy, "generic");
  numpy_array_type = class_named(numpy, "ndarray");
  for (int i = 0; i < kDTypeCount; ++i) {
    nb::object dtype = nb::handle(dtype_class)(std::string(name_of(static_cast<DType>(i))));
    scalar_types[i] = nb::object(dtype.attr("type")).release().ptr();
    dtypes[i] = dtype.release().ptr();
  }
}

}  // namespace hither::python
