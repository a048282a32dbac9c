// The types of nanobind's functions and methods can be changed, so that hither._signatures can give
// them the attribute that inspect.signature reads.
#include <cstring>

#include "python/interpreter/nanobind.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
// The linker replaces calls of PyType_FromSpec in the extension by calls of the function with
// __wrap (--wrap in src/python/CMakeLists.txt).
PyObject* __real_PyType_FromSpec(PyType_Spec* spec);
PyObject* __wrap_PyType_FromSpec(PyType_Spec* spec);
}

PyObject* __wrap_PyType_FromSpec(PyType_Spec* spec) {
  PyType_Spec changed = *spec;
  for (const char* name : {"nanobind.nb_func", "nanobind.nb_method"})
    if (std::strcmp(spec->name, name) == 0)
      changed.flags &= ~static_cast<unsigned>(Py_TPFLAGS_IMMUTABLETYPE);
  return __real_PyType_FromSpec(&changed);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
