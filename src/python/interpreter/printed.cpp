#include "python/interpreter/printed.h"

#include <pthread.h>

#include "python/interpreter/gil.h"

namespace hither::python {
namespace {

thread_local bool is_showing = false;

void report_failure(PyObject* module) {
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {  // Ctrl-C is for the program
    PyErr_Clear();
    return PyErr_SetInterrupt();
  }
  with_python([&] { PyErr_WriteUnraisable(module); });
}

}  // namespace

std::atomic<int> showing_threads{0};

void show_printed(bool after_others) noexcept {
  if (is_showing) return;
  static const int child_has_one_thread =
      pthread_atfork(nullptr, nullptr, [] { showing_threads = is_showing ? 1 : 0; });
  (void)child_has_one_thread;
  is_showing = true;
  ++showing_threads;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* const module =
      with_python([] { return PyImport_ImportModule("hither._kernel.printing"); });
  PyObject* const result = module ? with_python([&] {
    return PyObject_CallMethod(module, "show_printed", "OO", Py_False,
                               after_others ? Py_True : Py_False);
  })
                                  : nullptr;
  if (!result) report_failure(module);
  Py_XDECREF(result);
  Py_XDECREF(module);
  PyErr_Restore(type, value, traceback);
  --showing_threads;
  is_showing = false;
}

}  // namespace hither::python
