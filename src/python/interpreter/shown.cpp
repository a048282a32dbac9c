#include "python/interpreter/shown.h"

namespace hither::python {
namespace {

constexpr Py_ssize_t kMostCharacters = 200;

}  // namespace

std::string shown(nb::handle object) {
  nb::object text = nb::repr(object);
  const Py_ssize_t length = PyUnicode_GetLength(text.ptr());
  if (length > kMostCharacters)
    text = nb::steal(PyUnicode_Substring(text.ptr(), 0, kMostCharacters));
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) throw nb::python_error();
  const std::string cut = length > kMostCharacters ? "..." : "";
  return PyBytes_AsString(bytes.ptr()) + cut;
}

}  // namespace hither::python
