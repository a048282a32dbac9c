// The field `syclobj` of the USM array interface, and capsules of queues and contexts.
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/memory.h>
#include <hither/native.h>
#include <nanobind/stl/string.h>

#include "python/convert/current_queue.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/host_task.h"

namespace hither::python {
namespace {

constexpr const char* kQueueCapsule = "SyclQueueRef";
constexpr const char* kContextCapsule = "SyclContextRef";
// Names for queues and contexts of back ends other than SYCL.
constexpr const char* kOwnQueueCapsule = "hither.QueueRef";
constexpr const char* kOwnContextCapsule = "hither.ContextRef";
constexpr const char* kField = "__sycl_usm_array_interface__['syclobj']";

// The handle is the capsule's context pointer, because a consumer renames the capsule, as dpctl
// does.
template <class Handle>
void drop(PyObject* capsule) {
  delete static_cast<Handle*>(PyCapsule_GetContext(capsule));
}

/// Points to the SYCL object if there is one, as dpctl's capsules do; otherwise to the handle.
template <class Handle>
nb::object make_capsule(const Handle& handle, const void* native, const char* name,
                        const char* own_name) {
  auto kept = std::make_unique<Handle>(handle);
  void* pointer = native ? const_cast<void*>(native) : kept.get();
  nb::object capsule = nb::steal(PyCapsule_New(pointer, native ? name : own_name, nullptr));
  if (!capsule.is_valid() || PyCapsule_SetContext(capsule.ptr(), kept.get()) != 0 ||
      PyCapsule_SetDestructor(capsule.ptr(), drop<Handle>) != 0)
    throw nb::python_error();
  (void)kept.release();
  return capsule;
}

/// The handle in a capsule that hither made; null for other capsules.
template <class Handle>
const Handle* handle_in(nb::handle capsule) {
  if (PyCapsule_GetDestructor(capsule.ptr()) == drop<Handle>)
    return static_cast<const Handle*>(PyCapsule_GetContext(capsule.ptr()));
  PyErr_Clear();
  return nullptr;
}

// The context's only device, or the one that owns the memory at `address`.
Device device_of(const Context& context, const void* address) {
  if (context.devices().size() == 1) return context.devices()[0];
  if (!address) {
    throw Error(
        ErrorKind::kValue, kField,
        "is a context of several devices, and there is no address that identifies one of them; "
        "give a queue");
  }
  if (const auto known = pointer_info(address, context)) return known->device;
  throw Error(ErrorKind::kBuffer, kField,
              fmt::format("is a context of several devices, to which the address {} is not bound; "
                          "give the queue or the context of the memory",
                          fmt::ptr(address)));
}

Queue context_queue_of(const Context& context, const void* address = nullptr) {
  const Device device = device_of(context, address);
  const Queue standing = Queue::default_for(device);
  return standing.context() == context ? standing : Queue(context, device);
}

bool has_name(nb::handle capsule, const char* name) {
  return PyCapsule_IsValid(capsule.ptr(), name) != 0;
}

/// `object` if it is a capsule, else the result of its _get_capsule(); None without one.
nb::object capsule_of(nb::handle object) {
  if (PyCapsule_CheckExact(object.ptr())) return nb::borrow(object);
  if (PyType_Check(object.ptr()) || !nb::hasattr(object, "_get_capsule")) return nb::none();
  nb::object get = object.attr("_get_capsule");
  if (!PyCallable_Check(get.ptr())) return nb::none();
  nb::object capsule = get();
  return PyCapsule_CheckExact(capsule.ptr()) ? capsule : nb::none();
}

std::optional<Context> context_in(nb::handle capsule) {
  if (const auto* context = handle_in<Context>(capsule)) return *context;
  if (!has_name(capsule, kContextCapsule)) return std::nullopt;
  const void* const native = PyCapsule_GetPointer(capsule.ptr(), kContextCapsule);
  GilReleased release;
  return adopt_native_context(native);
}

std::optional<Queue> queue_in(nb::handle capsule, const void* address = nullptr) {
  if (const auto* queue = handle_in<Queue>(capsule)) return *queue;
  if (has_name(capsule, kQueueCapsule)) {
    expect_host_tasks();
    const void* const native = PyCapsule_GetPointer(capsule.ptr(), kQueueCapsule);
    GilReleased release;  // host tasks of the queue may need the GIL
    return adopt_native_queue(native);
  }
  if (auto context = context_in(capsule)) return context_queue_of(*context, address);
  return std::nullopt;
}

Queue named_queue(nb::handle syclobj, const void* address) {
  if (PyCapsule_CheckExact(syclobj.ptr())) {
    if (auto queue = queue_in(syclobj, address)) return *queue;
    throw Error(ErrorKind::kType, kField,
                "is a capsule named neither \"SyclQueueRef\" nor \"SyclContextRef\", or one that "
                "was used already");
  }
  if (nb::isinstance<Context>(syclobj))
    return context_queue_of(nb::cast<Context>(syclobj), address);
  if (nb::isinstance<Device>(syclobj) && !nb::cast<Device>(syclobj).is_root()) {
    throw Error(
        ErrorKind::kValue, kField,
        fmt::format("the sub-device {} has no context that everyone shares; give the queue or the "
                    "context of the memory",
                    nb::cast<Device>(syclobj).filter_string()));
  }
  if (syclobj.is_none()) throw Error(ErrorKind::kType, kField, "is None");
  // A hither.Queue needs no capsule, which would share it with other libraries and wait for its
  // host tasks.
  if (!nb::isinstance<Queue>(syclobj)) {
    const nb::object capsule = capsule_of(syclobj);
    if (capsule.is_none()) return resolve_queue(syclobj, kField);
    if (auto queue = queue_in(capsule, address)) return *queue;
  }
  return resolve_queue(syclobj, kField);
}

}  // namespace

std::optional<Queue> capsule_queue(nb::handle object) {
  const nb::object capsule = capsule_of(object);
  return capsule.is_none() ? std::nullopt : queue_in(capsule);
}

std::optional<Context> capsule_context(nb::handle object) {
  const nb::object capsule = capsule_of(object);
  return capsule.is_none() ? std::nullopt : context_in(capsule);
}

Queue syclobj_queue(nb::handle syclobj, const void* address) {
  try {
    return named_queue(syclobj, address);
  } catch (const Error& error) {
    if (error.where() == kField) throw;
    throw Error(error.kind(), kField, error.what(), error.native_code());
  }
}

nb::object queue_capsule(const Queue& queue) {
  const void* native;
  {
    GilReleased release;  // it may wait for host work, which may be Python's
    native = native_queue(queue);
  }
  if (native) expect_host_tasks();
  return make_capsule(queue, native, kQueueCapsule, kOwnQueueCapsule);
}

nb::object context_capsule(const Context& context) {
  const void* native;
  {
    GilReleased release;
    native = native_context(context);
  }
  return make_capsule(context, native, kContextCapsule, kOwnContextCapsule);
}

}  // namespace hither::python
