#include "python/interpreter/call_error.h"

#include <cstring>
#include <string>

#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/interpreter/raise_error.h"

extern "C" {
// The linker replaces calls of PyErr_SetString in the extension by calls of the second function
// (--wrap in src/python/CMakeLists.txt).
void __real_PyErr_SetString(PyObject* type, const char* text);  // NOLINT
void __wrap_PyErr_SetString(PyObject* type, const char* text);  // NOLINT
}

namespace hither::python {
namespace {

// Texts of nanobind.
constexpr const char* kTexts[] = {"(): incompatible function arguments.", ": no constructor defined!"};

nb::object explained(const char* function, nb::handle arguments) {
  return nb::module_::import_("hither._call_errors").attr(function)(*arguments);
}

}  // namespace

void refuse_call(std::string_view signature, std::span<PyObject* const> positional,
                 PyObject* keywords) {
  nb::list given;
  for (PyObject* object : positional) given.append(nb::handle(object));
  nb::object names = keywords ? nb::borrow(keywords) : nb::object(nb::tuple());
  const auto message = nb::cast<std::string>(
      explained("of_call", nb::make_tuple(std::string(signature), given, names)));
  throw Error(ErrorKind::kType, std::string(signature.substr(0, signature.find('('))), message);
}

}  // namespace hither::python

// nanobind reports a call that fits no overload by a list of all overloads. It has no hook for
// another text.
void __wrap_PyErr_SetString(PyObject* type, const char* text) {
  namespace python = hither::python;
  bool is_call = false;
  if (type == PyExc_TypeError)
    for (const char* part : python::kTexts) is_call |= std::strstr(text, part) != nullptr;
  if (!is_call) return __real_PyErr_SetString(type, text);
  try {
    const python::nb::object message =
        python::explained("of_binding", python::nb::make_tuple(text));
    const python::nb::object where = message[0], what = message[1];
    python::raise_error(hither::Error(hither::ErrorKind::kType,
                                      python::nb::cast<std::string>(where),
                                      python::nb::cast<std::string>(what)));
  } catch (...) {  // the interpreter shuts down, or memory is exhausted
    PyErr_Clear();
    __real_PyErr_SetString(type, text);
  }
}
