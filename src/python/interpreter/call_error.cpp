#include "python/interpreter/call_error.h"

#include <cstdarg>
#include <cstring>
#include <string>
#include <utility>

#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/interpreter/raise_error.h"

extern "C" {
// The linker replaces calls of PyErr_SetString and PyErr_Format in the extension by calls of the
// functions with __wrap (--wrap in src/python/CMakeLists.txt).
void __real_PyErr_SetString(PyObject* type, const char* text);           // NOLINT
void __wrap_PyErr_SetString(PyObject* type, const char* text);           // NOLINT
PyObject* __wrap_PyErr_Format(PyObject* type, const char* format, ...);  // NOLINT
}

namespace hither::python {
namespace {

// A text of nanobind, and the format of another one.
constexpr const char* kNoOverload = "(): incompatible function arguments.";
constexpr const char* kNoConstructor = "%s: no constructor defined!";

thread_local bool calls_are_retried = false;

nb::object explained(const char* function, nb::handle arguments) {
  return nb::module_::import_("hither._call_errors").attr(function)(*arguments);
}

// Sets the error for a text of nanobind; false if the call is retried, the interpreter shuts down
// or memory is exhausted.
bool raise_explained(const std::string& text) noexcept {
  if (calls_are_retried) return false;
  try {
    const nb::object parts = explained("of_binding", nb::make_tuple(text));
    const nb::object where = parts[0], message = parts[1];
    raise_error(
        Error(ErrorKind::kType, nb::cast<std::string>(where), nb::cast<std::string>(message)));
    return true;
  } catch (...) {
    PyErr_Clear();
    return false;
  }
}

}  // namespace

RetriedCalls::RetriedCalls(bool are_retried) noexcept
    : before_(std::exchange(calls_are_retried, are_retried)) {}
RetriedCalls::~RetriedCalls() { calls_are_retried = before_; }
bool RetriedCalls::are_active() noexcept { return calls_are_retried; }

void refuse_call(std::string_view signature, std::span<PyObject* const> positional,
                 PyObject* keywords) {
  const std::string name(signature.substr(0, signature.find('(')));
  if (calls_are_retried) throw Error(ErrorKind::kType, name, "refuses the arguments");
  nb::list given;
  for (PyObject* object : positional) given.append(nb::handle(object));
  nb::object names = keywords ? nb::borrow(keywords) : nb::object(nb::tuple());
  const auto message = nb::cast<std::string>(
      explained("of_call", nb::make_tuple(std::string(signature), given, names)));
  throw Error(ErrorKind::kType, name, message);
}

}  // namespace hither::python

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
// nanobind reports a call that fits no overload by a list of all overloads. It has no hook for
// another text.
void __wrap_PyErr_SetString(PyObject* type, const char* text) {
  const bool is_call = type == PyExc_TypeError && std::strstr(text, hither::python::kNoOverload);
  if (is_call && hither::python::raise_explained(text)) return;
  __real_PyErr_SetString(type, text);
}

PyObject* __wrap_PyErr_Format(PyObject* type, const char* format, ...) {
  va_list values;
  va_start(values, format);
  bool is_set = false;
  if (std::strcmp(format, hither::python::kNoConstructor) == 0) {
    va_list name;
    va_copy(name, values);
    is_set = hither::python::raise_explained(std::string(va_arg(name, const char*)) +
                                             ": no constructor defined!");
    va_end(name);
  }
  if (!is_set) PyErr_FormatV(type, format, values);
  va_end(values);
  return nullptr;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
