// Ctrl-C while Python's main thread waits for a kernel: process/interruption.h.
#include <csignal>

#include "process/interruption.h"
#include "python/bind/bindings.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/without_collector.h"

namespace hither::python {
namespace {

// Borrowed for the life of the process, because the watcher thread may call raises() while the
// interpreter is being finalised.
PyObject* getsignal = nullptr;
PyObject* default_handler = nullptr;  ///< raises KeyboardInterrupt
PyObject* sigint = nullptr;

/// Whether the Python handler of SIGINT raises KeyboardInterrupt. The garbage collector is disabled
/// meanwhile, because a finaliser might wait for a lock that the main thread holds.
bool raises() {
  if (!GilAcquired::is_possible()) return false;
  const GilAcquired gil;
  const WithoutCollector without;
  PyObject* const handler = PyObject_CallFunctionObjArgs(getsignal, sigint, nullptr);
  if (!handler) PyErr_Clear();
  const bool raises = handler == default_handler;
  Py_XDECREF(handler);
  return raises;
}

}  // namespace

void bind_interruption(nb::module_&) {
  const nb::module_ signal = nb::module_::import_("signal");
  const nb::module_ threading = nb::module_::import_("threading");
  getsignal = nb::object(signal.attr("getsignal")).release().ptr();
  default_handler = nb::object(signal.attr("default_int_handler")).release().ptr();
  sigint = nb::int_(SIGINT).release().ptr();
  if (threading.attr("current_thread")().is(threading.attr("main_thread")()))
    process::make_this_thread_interruptible(raises);
}

}  // namespace hither::python
