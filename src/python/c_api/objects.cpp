// Conversion between handles and Python objects.
#include <string>

#include <fmt/format.h>

#include "python/c_api/handles.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/memory_object.h"
#include "python/convert/usm_interface.h"

namespace hither::python::c_api {
namespace {

/// The C++ object of a Python object of that class.
template <typename T>
T own_object(PyObject* object, const char* name) {
  if (nb::isinstance<T>(nb::handle(object))) return nb::cast<T>(nb::handle(object));
  throw Error(ErrorKind::kType, name, fmt::format("{} is not one", a_type(object)));
}

Context context_in_object(nb::handle object) {
  if (nb::isinstance<Context>(object)) return nb::cast<Context>(object);
  if (nb::isinstance<Queue>(object)) return nb::cast<Queue>(object).context();
  if (auto context = capsule_context(object)) return *context;
  if (auto queue = capsule_queue(object)) return queue->context();
  throw Error(ErrorKind::kType, "context",
              fmt::format("{} is not a context; pass a hither.Context or a hither.Queue",
                          a_type(object.ptr())));
}

Array array_in_place(PyObject* object) {
  if (is_array(object)) return array_of(object);
  if (is_foreign_usm_array(object)) return import_usm_array(object);
  throw Error(
      ErrorKind::kType, "array",
      fmt::format("{} is not an array in USM; convert it with hither.asarray(x)", a_type(object)));
}

Array array_of_any(PyObject* object, const hither_queue* queue) {
  ImportRequest request;
  if (queue) request.queue = of(queue);
  return import_any(object, request);
}

template <typename Handle>
PyObject* object_of(const Handle* handle) noexcept {
  return guarded([&] { return nb::cast(of(handle)).release().ptr(); });
}

PyObject* interface_of_view(const hither_view* view, const hither_queue* queue) {
  if (!view) refuse_null("the view");
  require_room(view->ndim);
  const Dims shape = dims_of(view->ndim, view->shape, "shape");
  const Dims strides = dims_of(view->ndim, view->strides, "strides");
  return make_usm_interface(view->data, view->read_only != 0, shape, strides, dtype_of(view->dtype),
                            nb::cast(of(queue)))
      .release()
      .ptr();
}

void fill_from_objects(hither_table& t) {
  t.device_from_object = [](PyObject* object, hither_device** out) {
    return status_of([&] { give(out, resolve_device(object)); });
  };
  t.queue_from_object = [](PyObject* object, hither_queue** out) {
    return status_of([&] { give(out, resolve_queue(object)); });
  };
  t.context_from_object = [](PyObject* object, hither_context** out) {
    return status_of([&] { give(out, context_in_object(object)); });
  };
  t.event_from_object = [](PyObject* object, hither_event** out) {
    return status_of([&] { give(out, own_object<Event>(object, "hither.Event")); });
  };
  t.memory_from_object = [](PyObject* object, hither_memory** out) {
    return status_of([&] { give(out, own_object<Memory>(object, "hither.Memory")); });
  };
  t.array_from_object = [](PyObject* object, hither_array** out) {
    return status_of([&] { give(out, array_in_place(object)); });
  };
  t.array_convert = [](PyObject* object, const hither_queue* queue, hither_array** out) {
    return status_of([&] { give(out, array_of_any(object, queue)); });
  };
  t.dtype_from_object = [](PyObject* object, hither_dtype* out) {
    return status_of([&] {
      const DType dtype = dtype_argument(object);
      if (!out) refuse_null("the output pointer");
      *out = static_cast<hither_dtype>(dtype);
    });
  };
}

}  // namespace

void fill_objects(hither_table& t) {
  fill_from_objects(t);
  t.device_to_object = object_of<hither_device>;
  t.context_to_object = object_of<hither_context>;
  t.queue_to_object = object_of<hither_queue>;
  t.event_to_object = object_of<hither_event>;
  t.memory_to_object = [](const hither_memory* memory) {
    return guarded([&] { return memory_object(of(memory)).release().ptr(); });
  };
  t.array_to_object = [](const hither_array* array) {
    return guarded([&] { return wrap(of(array)); });
  };
  t.dtype_to_object = [](hither_dtype dtype) {
    return guarded([&] { return nb::borrow(dtype_object(dtype_of(dtype))).release().ptr(); });
  };
  t.usm_interface = [](const hither_view* view, const hither_queue* queue) {
    return guarded([&] { return interface_of_view(view, queue); });
  };
}

}  // namespace hither::python::c_api
