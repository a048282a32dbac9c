#include "python/interpreter/raise_error.h"

#include <array>
#include <exception>
#include <typeinfo>

#include <hither/manipulate.h>
#include <nanobind/stl/string.h>

#include "target/kernel_fault.h"

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
PyObject* axis_error;

nb::handle class_of(const Error& error) {
  const bool is_axis = dynamic_cast<const AxisError*>(&error) != nullptr;
  return is_axis ? axis_error : classes[static_cast<size_t>(error.kind())];
}

}  // namespace

void load_error_classes() {
  nb::module_ errors = nb::module_::import_("hither.errors");
  for (size_t i = 0; i < classes.size(); ++i)
    classes[i] = nb::object(errors.attr(kClassNames[i])).release().ptr();
  axis_error = nb::object(errors.attr("AxisError")).release().ptr();
}

void raise_error(const Error& error) noexcept {
  error.mark_reported();
  // If Ctrl-C ended a kernel that this thread waited for, its KeyboardInterrupt may be pending. It
  // is raised instead.
  if (error.native_code() == target::kInterrupted && error.kind() == ErrorKind::kKernel &&
      PyErr_CheckSignals() != 0)
    return;
  try {
    nb::handle type = class_of(error);
    nb::object instance = type(error.where(), error.message(), error.native_code());
    PyErr_SetObject(type.ptr(), instance.ptr());
  } catch (nb::python_error& nested) {
    nested.restore();
  }
}

void translate(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    raise_error(error);
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, kWrongType);
  }
}

void set_python_error() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    raise_error(error);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const nb::builtin_exception& error) {
    PyErr_SetString(error.type() == nb::exception_type::index_error  ? PyExc_IndexError
                    : error.type() == nb::exception_type::type_error ? PyExc_TypeError
                                                                     : PyExc_ValueError,
                    error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, kWrongType);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

}  // namespace hither::python
