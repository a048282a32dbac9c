// hither.DType and its instances hither.bool, hither.int8, ..., hither.complex128.
#include <array>
#include <bit>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/dtype_argument.h"

namespace hither::python {
namespace {

// An enum would be bound as a Python enum; dtypes are objects that compare with NumPy's.
struct DTypeObject {
  DType value;
};

std::array<PyObject*, kDTypeCount> objects;

std::optional<DType> from_typestr(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  constexpr char kNative = std::endian::native == std::endian::little ? '<' : '>';
  if (text[0] == kNative || text[0] == '|' || text[0] == '=') text.remove_prefix(1);
  for (int i = 0; i < kDTypeCount; ++i) {
    if (typestr(static_cast<DType>(i)).substr(1) == text) return static_cast<DType>(i);
  }
  return std::nullopt;
}

std::optional<DType> from_name(std::string_view text) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (name_of(static_cast<DType>(i)) == text) return static_cast<DType>(i);
  }
  if (text == "bool_") return DType::kBool;
  if (text == "int") return DType::kInt64;
  if (text == "float") return DType::kFloat64;
  if (text == "complex") return DType::kComplex128;
  return from_typestr(text);
}

std::optional<DType> from_python_type(nb::handle object) {
  if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyBool_Type)))) return DType::kBool;
  if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyLong_Type)))) return DType::kInt64;
  if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyFloat_Type)))) return DType::kFloat64;
  if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyComplex_Type)))) {
    return DType::kComplex128;
  }
  return std::nullopt;
}

// The class is numpy.dtype or one of numpy.float32, ...; NumPy itself need not be imported for it.
std::optional<DType> from_numpy(nb::handle object) {
  if (!nb::hasattr(object, "str") || !nb::hasattr(object, "kind")) {
    nb::object numpy = nb::module_::import_("numpy");
    if (!nb::isinstance(object, numpy.attr("dtype").type()) && !PyType_Check(object.ptr())) {
      return std::nullopt;
    }
    return from_typestr(nb::cast<std::string>(numpy.attr("dtype")(object).attr("str")));
  }
  return from_typestr(nb::cast<std::string>(object.attr("str")));
}

std::optional<DType> find(nb::handle object) {
  if (nb::isinstance<DTypeObject>(object)) return nb::cast<const DTypeObject&>(object).value;
  if (nb::isinstance<nb::str>(object)) return from_name(nb::cast<std::string>(object));
  if (auto found = from_python_type(object)) return found;
  try {
    return from_numpy(object);
  } catch (nb::python_error&) {
    return std::nullopt;  // not something that NumPy takes for a dtype
  }
}

nb::object numpy_dtype(const DTypeObject& self) {
  return nb::module_::import_("numpy").attr("dtype")(typestr(self.value));
}

const char* kind_name(DType dtype) {
  constexpr std::array names = {"b", "i", "u", "f", "c"};
  return names[static_cast<size_t>(kind_of(dtype))];
}

}  // namespace

std::string typestr(DType dtype) {
  constexpr char kNative = std::endian::native == std::endian::little ? '<' : '>';
  const int size = size_of(dtype);
  return fmt::format("{}{}{}", size == 1 ? '|' : kNative, kind_name(dtype), size);
}

DType dtype_argument(nb::handle object, const char* where) {
  if (auto found = find(object)) return *found;
  throw Error(ErrorKind::kType, where,
              fmt::format("{} is not a dtype of hither; take one of hither.bool, int8 ... uint64, "
                          "float16, float32, float64, complex64, complex128",
                          nb::cast<std::string>(nb::repr(object))));
}

nb::handle dtype_object(DType dtype) { return objects[static_cast<size_t>(dtype)]; }

void bind_dtype(nb::module_& m) {
  nb::class_<DTypeObject>(m, "DType",
                          "Type of an array's elements. Equal to NumPy's dtype of that name.")
      .def("__init__", [](DTypeObject* self,
                          nb::handle object) { new (self) DTypeObject{dtype_argument(object)}; })
      .def_prop_ro("name", [](const DTypeObject& s) { return std::string(name_of(s.value)); })
      .def_prop_ro(
          "itemsize", [](const DTypeObject& s) { return size_of(s.value); },
          "Bytes of one element.")
      .def_prop_ro(
          "kind", [](const DTypeObject& s) { return kind_name(s.value); },
          "One of b, i, u, f, c, as in NumPy.")
      .def_prop_ro("str", [](const DTypeObject& s) { return typestr(s.value); })
      .def_prop_ro("dtype", numpy_dtype, "NumPy's dtype; numpy.dtype(hither.float32) uses it.")
      .def(
          "__eq__",
          [](const DTypeObject& self, nb::handle other) {
            if (other.is_none()) return false;  // NumPy takes None for float64
            return find(other) == self.value;
          },
          nb::arg().none())
      .def("__hash__", [](const DTypeObject& self) { return nb::hash(numpy_dtype(self)); })
      .def("__reduce__",
           [](nb::object self) {
             return nb::make_tuple(self.type(), nb::make_tuple(self.attr("name")));
           })
      .def("__repr__",
           [](const DTypeObject& self) { return fmt::format("hither.{}", name_of(self.value)); });
  for (int i = 0; i < kDTypeCount; ++i) {
    nb::object object = nb::cast(DTypeObject{static_cast<DType>(i)});
    m.attr(std::string(name_of(static_cast<DType>(i))).c_str()) = object;
    objects[static_cast<size_t>(i)] = object.release().ptr();
  }
}

}  // namespace hither::python
