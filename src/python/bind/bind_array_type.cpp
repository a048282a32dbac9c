// The type hither.Array, made of the slots that array_slots.h and the headers of convert/ declare.
#include <vector>

#include <hither/error.h>

#include "python/bind/array_slots.h"
#include "python/bind/bindings.h"
#include "python/convert/array_exchange.h"
#include "python/convert/array_object.h"
#include "python/convert/array_scalar.h"
#include "python/interpreter/foreign_owner.h"
#include "python/interpreter/raise_error.h"
#include "python/interpreter/type_members.h"

namespace hither::python {
namespace {

constexpr const char* kDoc =
    "An n-dimensional array in USM, computed lazily on the queue that holds its data.\n\n"
    "hither.asarray, hither.zeros and so on make arrays. Operations check their arguments at\n"
    "once, and compute when a result is read; hither.evaluate and hither.synchronize force\n"
    "the computation. Indexing with integers and slices gives writable views.";

void deallocate(PyObject* self) {
  auto* object = reinterpret_cast<ArrayObject*>(self);
  if (object->weak_references) PyObject_ClearWeakRefs(self);
  object->array.~Array();
  PyTypeObject* type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
  release_foreign_owners();
}

PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    throw Error(ErrorKind::kType, "Array",
                "arrays are not made by calling the class; hither.asarray converts values, and "
                "hither.zeros, hither.empty and others make new arrays");
  });
}

PyMemberDef members[] = {
    {"__weaklistoffset__", Py_T_PYSSIZET, offsetof(ArrayObject, weak_references), Py_READONLY,
     nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

void append(std::vector<PyType_Slot>& slots, const PyType_Slot* more) {
  for (; more->slot; ++more) slots.push_back(*more);
}

}  // namespace

void bind_array_type(nb::module_& m) {
  std::vector<PyType_Slot> slots = {
      {Py_tp_doc, const_cast<char*>(kDoc)},
      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
      {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
      {Py_tp_members, members},
  };
  for (const PyType_Slot* more : {array_operator_slots, array_scalar_slots, array_index_slots,
                                  array_buffer_slots, array_attribute_slots}) {
    append(slots, more);
  }
  slots.push_back({0, nullptr});
  PyType_Spec spec = {"hither.Array", sizeof(ArrayObject), 0, Py_TPFLAGS_DEFAULT, slots.data()};
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid()) throw nb::python_error();
  type.attr("__array_priority__") = 1000.0;
  type.attr("__dlpack_c_exchange_api__") = dlpack_exchange_capsule();
  m.attr("Array") = type;
  array_type = reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

}  // namespace hither::python
