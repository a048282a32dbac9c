// What `syclobj` of the USM array interface may be, and capsules of queues and contexts.
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/current_queue.h"
#include "python/usm_interface.h"

namespace hither::python {
namespace {

constexpr const char* kQueueCapsule = "SyclQueueRef";
constexpr const char* kContextCapsule = "SyclContextRef";
constexpr const char* kField = "__sycl_usm_array_interface__['syclobj']";

// dpctl's capsules carry the same names and pointers to DPC++'s objects: this address marks ours.
char ours;

template <class Handle>
nb::object make_capsule(const Handle& handle, const char* name) {
  auto* copy = new Handle(handle);
  PyObject* capsule = PyCapsule_New(copy, name, [](PyObject* self) {
    delete static_cast<Handle*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
  });
  if (!capsule || PyCapsule_SetContext(capsule, &ours) != 0) {
    if (!capsule) delete copy;
    Py_XDECREF(capsule);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

Queue context_queue_of(const Context& context) {
  if (context.devices().size() != 1) {
    throw Error(ErrorKind::kValue, kField,
                "is a context of several devices; give a queue, which names the device too");
  }
  const Device& device = context.devices()[0];
  const Queue standing = Queue::default_for(device);
  return standing.context() == context ? standing : Queue(context, device);
}

Queue capsule_queue(nb::handle capsule) {
  const bool queue = PyCapsule_IsValid(capsule.ptr(), kQueueCapsule);
  if (!queue && !PyCapsule_IsValid(capsule.ptr(), kContextCapsule)) {
    throw Error(ErrorKind::kType, kField,
                "is a capsule named neither \"SyclQueueRef\" nor \"SyclContextRef\"");
  }
  if (PyCapsule_GetContext(capsule.ptr()) != &ours) {
    PyErr_Clear();
    throw Error(
        ErrorKind::kValue, kField,
        "is a capsule of another SYCL runtime, whose memory no device of this process's hither "
        "reaches; give a filter string, or copy through the host");
  }
  if (queue) return *static_cast<Queue*>(PyCapsule_GetPointer(capsule.ptr(), kQueueCapsule));
  return context_queue_of(
      *static_cast<Context*>(PyCapsule_GetPointer(capsule.ptr(), kContextCapsule)));
}

}  // namespace

Queue syclobj_queue(nb::handle syclobj) {
  if (PyCapsule_CheckExact(syclobj.ptr())) return capsule_queue(syclobj);
  if (nb::isinstance<Context>(syclobj)) return context_queue_of(nb::cast<Context>(syclobj));
  if (nb::isinstance<Device>(syclobj) && !nb::cast<Device>(syclobj).is_root()) {
    throw Error(
        ErrorKind::kValue, kField,
        fmt::format("the sub-device {} has no context that everyone shares; give the queue or the "
                    "context of the memory",
                    nb::cast<Device>(syclobj).filter_string()));
  }
  if (syclobj.is_none()) throw Error(ErrorKind::kType, kField, "is None");
  return resolve_queue(syclobj, kField);
}

nb::object queue_capsule(const Queue& queue) { return make_capsule(queue, kQueueCapsule); }
nb::object context_capsule(const Context& context) {
  return make_capsule(context, kContextCapsule);
}

}  // namespace hither::python
