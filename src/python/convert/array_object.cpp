#include "python/convert/array_object.h"

namespace hither::python {

PyTypeObject* array_type = nullptr;

PyObject* wrap(Array array) noexcept {
  ArrayObject* object = PyObject_New(ArrayObject, array_type);
  if (!object) return nullptr;
  object->weak_references = nullptr;
  new (&object->array) Array(std::move(array));
  return reinterpret_cast<PyObject*>(object);
}

}  // namespace hither::python
