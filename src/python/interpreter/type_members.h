// Names for the members of types that are made with CPython's C API.
#pragma once

#include <Python.h>

// Python 3.12 gave these names their prefix and their place in Python.h.
#if PY_VERSION_HEX < 0x030C0000
#include <structmember.h>
#define Py_T_PYSSIZET T_PYSSIZET
#define Py_READONLY READONLY
#endif
