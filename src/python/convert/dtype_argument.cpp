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
    const auto candidate = static_cast<DType>(i);
    if (!needs_ml_dtypes(candidate) && typestr(candidate) == text) return candidate;
  }
  return std::nullopt;
}

void load_type(const nb::module_& module, DType dtype) {
  const auto i = static_cast<size_t>(dtype);
  const std::string name(name_of(dtype));
  nb::object made =
      nb::handle(dtype_class)(needs_ml_dtypes(dtype) ? nb::object(module.attr(name.c_str()))
                                                     : nb::object(nb::str(name.c_str())));
  scalar_types[i] = nb::object(made.attr("type")).release().ptr();
  dtypes[i] = made.release().ptr();
}

void load_ml_dtypes(const nb::module_& module) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (needs_ml_dtypes(dtype) && !dtypes[static_cast<size_t>(i)]) load_type(module, dtype);
  }
}

void need_ml_dtypes(DType dtype) {
  if (dtypes[static_cast<size_t>(dtype)]) return;
  nb::object module = nb::steal(PyImport_ImportModule("ml_dtypes"));
  if (!module.is_valid()) {
    PyErr_Clear();
    throw Error(ErrorKind::kUnsupported, std::string(name_of(dtype)),
                "NumPy has this dtype only with the package ml_dtypes, which cannot be imported; "
                "install it: pip install ml_dtypes");
  }
  load_ml_dtypes(nb::borrow<nb::module_>(module));
}

std::optional<DType> named_by_ml_dtypes(nb::handle object) {
  if (!nb::isinstance<nb::str>(object)) return std::nullopt;
  const auto name = nb::cast<std::string>(object);
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (needs_ml_dtypes(dtype) && name_of(dtype) == name) return dtype;
  }
  return std::nullopt;
}

// A dtype of ml_dtypes, or the name of one. A dtype object exists only where ml_dtypes has been
// imported.
std::optional<DType> known_to_ml_dtypes(nb::handle object) {
  if (nb::isinstance<nb::str>(object)) return named_by_ml_dtypes(object);
  nb::object modules = nb::borrow(PyImport_GetModuleDict());
  PyObject* module = PyDict_GetItemString(modules.ptr(), "ml_dtypes");
  if (!module || module == Py_None) return std::nullopt;
  load_ml_dtypes(nb::borrow<nb::module_>(module));
  return known(object.ptr());
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

std::optional<DType> dtype_of_numpy_scalar(PyObject* object) noexcept {
  if (!is_numpy_scalar(object)) return std::nullopt;
  return known(reinterpret_cast<PyObject*>(Py_TYPE(object)));
}

bool is_name_of_ml_dtypes(nb::handle object) { return named_by_ml_dtypes(object).has_value(); }

std::string typestr(DType dtype) {
  const int size = size_of(dtype);
  if (needs_ml_dtypes(dtype))
    return fmt::format("{}V{}", size == 1 ? '|' : kLittle ? '<' : '>', size);
  return fmt::format("{}{}{}", size == 1 ? '|' : kLittle ? '<' : '>', kind_letter(dtype), size);
}

DType dtype_argument(nb::handle object, const char* where) {
  if (auto found = known(object.ptr())) return *found;
  if (auto found = known_to_ml_dtypes(object)) return *found;
  const nb::object dtype = to_numpy(object);
  if (!dtype.is_none()) {
    if (auto found = known(dtype.ptr())) return *found;
    if (auto found = known_to_ml_dtypes(dtype)) return *found;
    if (auto found = by_typestr(dtype)) return *found;
  }
  throw Error(
      ErrorKind::kType, where,
      fmt::format("{} is not a dtype that arrays can hold{} These are bool, int8 to int64, uint8 "
                  "to uint64, float16, bfloat16, float32, float64, complex64, complex128, "
                  "float8_e4m3fn and float8_e5m2; use NumPy for other data",
                  shown(object), proposal(object)));
}

nb::handle dtype_object(DType dtype) {
  need_ml_dtypes(dtype);
  return dtypes[static_cast<size_t>(dtype)];
}

nb::handle scalar_type_object(DType dtype) {
  need_ml_dtypes(dtype);
  return scalar_types[static_cast<size_t>(dtype)];
}

void load_numpy_types() {
  nb::module_ numpy = nb::module_::import_("numpy");
  dtype_class = nb::object(numpy.attr("dtype")).release().ptr();
  numpy_scalar_type = class_named(numpy, "generic");
  numpy_array_type = class_named(numpy, "ndarray");
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!needs_ml_dtypes(dtype)) load_type(numpy, dtype);
  }
}

}  // namespace hither::python
