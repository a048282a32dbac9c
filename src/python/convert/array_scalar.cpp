#include "python/convert/array_scalar.h"

#include <cstring>

#include <fmt/format.h>
#include <hither/error.h>

#include "python/convert/array_argument.h"
#include "python/convert/dtype_argument.h"

namespace hither::python {
namespace {

struct Element {
  alignas(16) unsigned char bytes[16];

  template <typename T>
  T as() const noexcept {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
};

nb::object checked(PyObject* object) {
  if (!object) throw nb::python_error();
  return nb::steal(object);
}

// C++20 has no float16 type: Python's struct module decodes the bytes.
nb::object half_to_python(const Element& e) {
  nb::object bytes = checked(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(e.bytes), 2));
  nb::object unpacked = nb::module_::import_("struct").attr("unpack")("<e", bytes);
  return nb::borrow(unpacked)[0];
}

nb::object to_python(const Element& e, DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return checked(PyBool_FromLong(e.as<uint8_t>() != 0));
    case DType::kInt8:
      return checked(PyLong_FromLong(e.as<int8_t>()));
    case DType::kInt16:
      return checked(PyLong_FromLong(e.as<int16_t>()));
    case DType::kInt32:
      return checked(PyLong_FromLong(e.as<int32_t>()));
    case DType::kInt64:
      return checked(PyLong_FromLongLong(e.as<int64_t>()));
    case DType::kUInt8:
      return checked(PyLong_FromLong(e.as<uint8_t>()));
    case DType::kUInt16:
      return checked(PyLong_FromLong(e.as<uint16_t>()));
    case DType::kUInt32:
      return checked(PyLong_FromUnsignedLong(e.as<uint32_t>()));
    case DType::kUInt64:
      return checked(PyLong_FromUnsignedLongLong(e.as<uint64_t>()));
    case DType::kFloat16:
      return half_to_python(e);
    case DType::kBFloat16:
      return checked(PyFloat_FromDouble(number_of_bits(dtype, e.as<uint16_t>())));
    case DType::kFloat8E4M3FN:
    case DType::kFloat8E5M2:
      return checked(PyFloat_FromDouble(number_of_bits(dtype, e.as<uint8_t>())));
    case DType::kFloat32:
      return checked(PyFloat_FromDouble(e.as<float>()));
    case DType::kFloat64:
      return checked(PyFloat_FromDouble(e.as<double>()));
    case DType::kComplex64: {
      const auto z = e.as<std::complex<float>>();
      return checked(PyComplex_FromDoubles(z.real(), z.imag()));
    }
    case DType::kComplex128:
      break;
  }
  const auto z = e.as<std::complex<double>>();
  return checked(PyComplex_FromDoubles(z.real(), z.imag()));
}

// The element of a 0-dimensional array. The Array API and NumPy convert no other arrays.
nb::object element_for(PyObject* self, const char* conversion) {
  const Array& x = array_of(self);
  if (x.ndim() != 0) {
    throw Error(
        ErrorKind::kType, conversion,
        fmt::format("only 0-dimensional arrays can be converted, this one has {} dimensions; "
                    "x[i] or x.item() picks an element",
                    x.ndim()));
  }
  return element_of(x);
}

PyObject* to_int(PyObject* self) {
  return guarded([&] { return PyNumber_Long(element_for(self, "int").ptr()); });
}

PyObject* to_float(PyObject* self) {
  return guarded([&] { return PyNumber_Float(element_for(self, "float").ptr()); });
}

PyObject* to_index(PyObject* self) {
  return guarded([&]() -> PyObject* {
    const DType dtype = array_of(self).dtype();
    if (!is_integer(dtype)) {
      throw Error(
          ErrorKind::kType, "index",
          fmt::format("only integer arrays can be an index, this one is {}", name_of(dtype)));
    }
    return element_for(self, "index").release().ptr();
  });
}

int to_bool(PyObject* self) {
  return guarded_status([&] {
    const Array& x = array_of(self);
    if (x.size() != 1) {
      throw Error(ErrorKind::kValue, "bool",
                  x.size() == 0 ? "the truth value of an empty array is ambiguous"
                                : "the truth value of an array with more than one element is "
                                  "ambiguous; use hither.any(x) or hither.all(x)");
    }
    return PyObject_IsTrue(element_of(x).ptr());
  });
}

}  // namespace

nb::object element_of(const Array& x) {
  if (x.size() != 1) {
    throw Error(ErrorKind::kValue, "item",
                fmt::format("only arrays of one element have an item, this one has {}", x.size()));
  }
  Element element;
  {
    ReleaseGil unlocked(x.size());
    x.item(element.bytes);
  }
  return to_python(element, x.dtype());
}

const PyType_Slot array_scalar_slots[] = {
    {Py_nb_bool, reinterpret_cast<void*>(to_bool)},
    {Py_nb_int, reinterpret_cast<void*>(to_int)},
    {Py_nb_float, reinterpret_cast<void*>(to_float)},
    {Py_nb_index, reinterpret_cast<void*>(to_index)},
    {0, nullptr},
};

}  // namespace hither::python
