#include "python/convert/array_object.h"

#include <dlfcn.h>

namespace hither::python {

PyTypeObject* array_type = nullptr;

namespace {

// From Python 3.14 on, the interpreter passes references that it has borrowed from variables, and
// this function of CPython finds them.
using IsTemporary = int (*)(PyObject*);
IsTemporary find_is_temporary() noexcept {
  if (Py_Version < 0x030E0000) return [](PyObject* o) { return Py_REFCNT(o) == 1 ? 1 : 0; };
  void* const found = dlsym(RTLD_DEFAULT, "PyUnstable_Object_IsUniqueReferencedTemporary");
  if (found) return reinterpret_cast<IsTemporary>(found);
  return [](PyObject*) { return 0; };
}

}  // namespace

bool is_temporary(PyObject* object) noexcept {
  static const IsTemporary found = find_is_temporary();
  return found(object);
}

const Array* temporary_array(PyObject* object) noexcept {
  return is_array(object) && is_temporary(object) ? &array_of(object) : nullptr;
}

PyObject* wrap(Array array) noexcept {
  ArrayObject* object = PyObject_New(ArrayObject, array_type);
  if (!object) return nullptr;
  object->weak_references = nullptr;
  new (&object->array) Array(std::move(array));
  return reinterpret_cast<PyObject*>(object);
}

}  // namespace hither::python
