// What the types of callable objects in this folder share.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// To be called when an object with the fast call protocol is initialised.
inline void offer_fast_calls([[maybe_unused]] PyObject* self) {
#if PY_VERSION_HEX < 0x030C0000
  // Classes defined in Python inherit the fast call protocol only since Python 3.12.
  Py_TYPE(self)->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
#endif
}

/// The slot tp_descr_get of an object that binds to the object that it is an attribute of, as
/// functions do.
inline PyObject* bind_as_method(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  static PyObject* method_type =  // for the life of the process
      nb::object(nb::module_::import_("types").attr("MethodType")).release().ptr();
  return PyObject_CallFunctionObjArgs(method_type, self, object, nullptr);
}

}  // namespace hither::python
