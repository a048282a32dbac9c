#include "python/interpreter/printed.h"

#include "python/interpreter/gil.h"

namespace hither::python {
namespace {

void report_failure(PyObject* module) {
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {  // Ctrl-C is for the program
    PyErr_Clear();
    return PyErr_SetInterrupt();
  }
  with_python([&] { PyErr_WriteUnraisable(module); });
}

}  // namespace

void show_printed() noexcept {
  static thread_local bool is_showing = false;  // an outer call of this thread shows it
  if (is_showing) return;
  is_showing = true;
  ++process::printing_launches;  // so that other threads wait until it has been shown
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* const module =
      with_python([] { return PyImport_ImportModule("hither._kernel.printing"); });
  PyObject* const result =
      module ? with_python([&] { return PyObject_CallMethod(module, "show_printed", nullptr); })
             : nullptr;
  if (!result) report_failure(module);
  Py_XDECREF(result);
  Py_XDECREF(module);
  PyErr_Restore(type, value, traceback);
  --process::printing_launches;
  is_showing = false;
}

}  // namespace hither::python
