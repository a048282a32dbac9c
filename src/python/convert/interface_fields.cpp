#include "python/convert/interface_fields.h"

#include <algorithm>

#include <fmt/format.h>
#include <hither/strides.h>
#include <nanobind/stl/string.h>

#include "python/convert/dtype_argument.h"
#include "python/interpreter/shown.h"

namespace hither::python {
namespace {

bool is_list_of_tuples(nb::handle object) {
  if (!nb::isinstance<nb::list>(object)) return false;
  const auto parts = nb::borrow<nb::list>(object);
  return std::all_of(parts.begin(), parts.end(),
                     [](nb::handle part) { return nb::isinstance<nb::tuple>(part); });
}

}  // namespace

bool offers(nb::handle object, const char* name) {
  const nb::object found = nb::steal(PyObject_GetAttrString(object.ptr(), name));
  if (found.is_valid()) return true;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) nb::raise_python_error();
  PyErr_Clear();
  return false;
}

InterfaceFields::InterfaceFields(const char* name, nb::handle object) : name_(name) {
  if (!nb::isinstance<nb::dict>(object))
    throw Error(ErrorKind::kType, name, fmt::format("{} is not a dict", shown(object)));
  fields_ = nb::borrow<nb::dict>(object);
}

void InterfaceFields::refuse(const char* field, const std::string& message, ErrorKind kind) const {
  throw Error(kind, fmt::format("{}['{}']", name_, field), message);
}

nb::object InterfaceFields::optional(const char* field) const {
  return nb::borrow(fields_.contains(field) ? fields_[field] : nb::none());
}

nb::object InterfaceFields::required(const char* field) const {
  if (!fields_.contains(field)) refuse(field, "is missing");
  return nb::borrow(fields_[field]);
}

// Any integer, including NumPy's. bool is a subclass of int, but never a valid extent, address or
// version.
int64_t InterfaceFields::integer(nb::handle object, const char* field) const {
  int64_t value = 0;
  nb::object index;
  if (!nb::isinstance<nb::bool_>(object)) index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    refuse(field, fmt::format("{} is not an int", shown(object)), ErrorKind::kType);
  }
  if (!nb::try_cast(index, value))
    refuse(field, fmt::format("{} needs more than 64 bits", shown(object)));
  return value;
}

Dims InterfaceFields::integers(nb::handle object, const char* field) const {
  if (!nb::isinstance<nb::tuple>(object)) {
    refuse(field, fmt::format("{} is not a tuple of ints", shown(object)), ErrorKind::kType);
  }
  Dims dims;
  for (nb::handle item : nb::borrow<nb::tuple>(object)) {
    if (dims.size() == kMaxRank)
      refuse(field, fmt::format("has more than {} dimensions", kMaxRank));
    dims.push_back(integer(item, field));
  }
  return dims;
}

DType InterfaceFields::dtype(const char* parts) const {
  nb::object code = required("typestr");
  if (!nb::isinstance<nb::str>(code)) {
    refuse("typestr", fmt::format("{} is not a string", shown(code)), ErrorKind::kType);
  }
  std::string name;
  if (!nb::try_cast(code, name))
    refuse("typestr", fmt::format("{} is not a valid name", shown(code)));
  if (name.size() < 3 || std::string_view("<>|=").find(name[0]) == std::string_view::npos) {
    refuse("typestr", fmt::format("{} is not of the form '<f4'", shown(code)));
  }
  DType dtype;
  try {
    dtype = dtype_argument(code);
  } catch (const Error&) {
    refuse("typestr",
           fmt::format("{} is not a type that hither has, or is in non-native byte order",
                       shown(code)),
           ErrorKind::kType);
  }
  // A dict made from NumPy's interface has the same field under NumPy's name, descr.
  for (const char* name : {parts, "descr"}) check_parts(name, dtype);
  return dtype;
}

// A number has one component: [('', '<f4')].
void InterfaceFields::check_parts(const char* parts, DType dtype) const {
  const nb::object described = optional(parts);
  if (described.is_none()) return;
  if (!is_list_of_tuples(described))
    refuse(parts, fmt::format("{} is not a list of tuples", shown(described)), ErrorKind::kType);
  if (nb::len(described) == 1) {
    const auto part = nb::borrow<nb::tuple>(described[0]);
    try {
      if (nb::len(part) == 2 && nb::isinstance<nb::str>(part[1]) &&
          dtype_argument(part[1]) == dtype)
        return;
    } catch (const Error&) {  // the name is not that of a dtype
    }
  }
  refuse(parts, fmt::format("{} does not describe the type that typestr names, {}",
                            shown(described), name_of(dtype)));
}

Dims InterfaceFields::shape() const {
  Dims shape = integers(required("shape"), "shape");
  try {
    element_count(shape);
  } catch (const Error& error) {
    refuse("shape", error.message());
  }
  return shape;
}

Dims InterfaceFields::strides(const Dims& shape, int64_t unit) const {
  nb::object given = optional("strides");
  if (given.is_none()) {
    Dims strides = contiguous_strides(shape);
    for (int64_t& stride : strides) stride *= unit;
    return strides;
  }
  Dims strides = integers(given, "strides");
  if (strides.size() != shape.size()) {
    refuse("strides",
           fmt::format("has {} numbers for {} dimensions", strides.size(), shape.size()));
  }
  return strides;
}

InterfaceFields::Data InterfaceFields::data(nb::handle value) const {
  if (!nb::isinstance<nb::tuple>(value) || nb::len(value) != 2) {
    refuse("data", fmt::format("{} is not a tuple (address, read-only flag)", shown(value)),
           ErrorKind::kType);
  }
  nb::object flag = nb::borrow(value)[1];
  if (!nb::isinstance<nb::bool_>(flag)) {
    refuse("data", fmt::format("the read-only flag {} is not a bool", shown(flag)),
           ErrorKind::kType);
  }
  nb::object address = nb::borrow(value)[0];
  uint64_t number = 0;
  if (nb::isinstance<nb::bool_>(address) || !nb::isinstance<nb::int_>(address) ||
      !nb::try_cast(address, number)) {
    refuse("data", fmt::format("the address {} is not an int", shown(address)), ErrorKind::kType);
  }
  return {reinterpret_cast<char*>(number), nb::cast<bool>(flag)};  // NOLINT
}

void InterfaceFields::check_alignment(const void* first, DType dtype, const char* field) const {
  const auto unit = static_cast<uintptr_t>(std::min<int64_t>(size_of(dtype), 8));
  if (reinterpret_cast<uintptr_t>(first) % unit == 0) return;
  refuse(field, fmt::format("the address of the first element, {}, is not a multiple of {}, as "
                            "its type requires",
                            fmt::ptr(first), unit));
}

}  // namespace hither::python
