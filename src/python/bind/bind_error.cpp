// hither::Error becomes an instance of the class in hither.errors that its kind names.
#include <array>
#include <exception>
#include <typeinfo>

#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/bind/bindings.h"
#include "python/interpreter/raise_error.h"
#include "runtime/untold_failures.h"

namespace hither::python {
namespace {

constexpr std::array kClassNames = {
    "InvalidValueError", "InvalidTypeError", "OutOfRangeError",  "ScalarOverflowError",
    "PlacementError",    "OutOfMemoryError", "ExchangeError",    "DeviceError",
    "CompileError",      "KernelError",      "UnsupportedError", "InternalError",
};
static_assert(kClassNames.size() == static_cast<size_t>(ErrorKind::kInternal) + 1);

// Borrowed for the life of the process: the translator may run while the interpreter shuts down.
std::array<PyObject*, kClassNames.size()> classes;

void translate(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    raise_error(error);
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, kWrongType);
  }
}

}  // namespace

void raise_error(const Error& error) noexcept {
  runtime::note_told(error);
  try {
    nb::handle type = classes[static_cast<size_t>(error.kind())];
    nb::object instance = type(error.where(), error.message(), error.native_code());
    PyErr_SetObject(type.ptr(), instance.ptr());
  } catch (nb::python_error& nested) {
    nested.restore();
  }
}

void bind_error(nb::module_&) {
  nb::module_ errors = nb::module_::import_("hither.errors");
  for (size_t i = 0; i < classes.size(); ++i) {
    classes[i] = nb::object(errors.attr(kClassNames[i])).release().ptr();
  }
  nb::register_exception_translator(translate);
}

}  // namespace hither::python
