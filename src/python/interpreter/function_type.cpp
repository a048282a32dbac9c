// The types of nanobind's functions and methods get the attribute that inspect.signature reads.
// They have to stay immutable, because Python calls methods of mutable types more slowly. Their
// members say where their objects keep the function that a call runs.
#include <cstring>
#include <vector>

#include "python/interpreter/nanobind.h"
#include "python/interpreter/sharded_call.h"
#include "python/interpreter/type_members.h"

namespace hither::python {
namespace {

PyObject* signature_of(PyObject* function, void*) {
  PyObject* const module = PyImport_ImportModule("hither._signatures");
  if (!module) return nullptr;
  PyObject* const signature = PyObject_CallMethod(module, "signature", "O", function);
  Py_DECREF(module);
  return signature;
}

/// The attributes in `given`, and __signature__. Types refer to the result for ever.
PyGetSetDef* with_signature(const PyGetSetDef* given) {
  static std::vector<std::vector<PyGetSetDef>> made;
  std::vector<PyGetSetDef>& all = made.emplace_back();
  for (; given->name; ++given) all.push_back(*given);
  all.push_back({"__signature__", signature_of, nullptr, nullptr, nullptr});
  all.push_back({});
  return all.data();
}

void find_vectorcall(const PyMemberDef* member) {
  for (; member->name; ++member)
    if (std::strcmp(member->name, "__vectorcalloffset__") == 0)
      set_vectorcall_offset(member->offset);
}

}  // namespace
}  // namespace hither::python

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
// The linker replaces calls of PyType_FromSpec in the extension by calls of the function with
// __wrap (--wrap in src/python/CMakeLists.txt).
PyObject* __real_PyType_FromSpec(PyType_Spec* spec);
PyObject* __wrap_PyType_FromSpec(PyType_Spec* spec);
}

PyObject* __wrap_PyType_FromSpec(PyType_Spec* spec) {
  const bool is_function = std::strcmp(spec->name, "nanobind.nb_func") == 0 ||
                           std::strcmp(spec->name, "nanobind.nb_method") == 0 ||
                           std::strcmp(spec->name, "nanobind.nb_bound_method") == 0;
  if (!is_function) return __real_PyType_FromSpec(spec);
  std::vector<PyType_Slot> slots;
  for (const PyType_Slot* slot = spec->slots; slot->slot != 0; ++slot) {
    slots.push_back(*slot);
    if (slot->slot == Py_tp_getset)
      slots.back().pfunc =
          hither::python::with_signature(static_cast<const PyGetSetDef*>(slot->pfunc));
    if (slot->slot == Py_tp_members && std::strcmp(spec->name, "nanobind.nb_func") == 0)
      hither::python::find_vectorcall(static_cast<const PyMemberDef*>(slot->pfunc));
  }
  slots.push_back({});
  PyType_Spec extended = *spec;
  extended.slots = slots.data();
  return __real_PyType_FromSpec(&extended);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
