// The C++ objects behind the handles of the C API, and the error handling of its functions.
#pragma once

#include <hither/c_api.h>

#include <string>
#include <utility>
#include <vector>

#include <hither/array.h>
#include <hither/error.h>
#include <hither/module.h>

#include "python/convert/array_object.h"

namespace hither::python::c_api {

/// The C++ class of a handle: a hither_queue* points to a Queue of its own.
template <typename Handle>
struct Meant;
#define HITHER_HANDLE(handle, Type) \
  template <>                       \
  struct Meant<handle> {            \
    using type = Type;              \
  }
HITHER_HANDLE(hither_device, Device);
HITHER_HANDLE(hither_context, Context);
HITHER_HANDLE(hither_queue, Queue);
HITHER_HANDLE(hither_event, Event);
HITHER_HANDLE(hither_memory, Memory);
HITHER_HANDLE(hither_array, Array);
HITHER_HANDLE(hither_kernel, Kernel);
HITHER_HANDLE(hither_module, Module);
#undef HITHER_HANDLE

[[noreturn]] void refuse_null(const char* what);

/// Error kValue for null.
template <typename Handle>
const typename Meant<Handle>::type& of(const Handle* handle) {
  if (!handle) refuse_null("a handle");
  return *reinterpret_cast<const typename Meant<Handle>::type*>(handle);
}

/// Stores a new handle, which the caller owns. Error kValue if `out` is null.
template <typename Handle>
void give(Handle** out, typename Meant<Handle>::type object) {
  if (!out) refuse_null("the output pointer");
  *out = reinterpret_cast<Handle*>(new typename Meant<Handle>::type(std::move(object)));
}
/// The same for optional results.
template <typename Handle>
void offer(Handle** out, typename Meant<Handle>::type object) {
  if (out) give(out, std::move(object));
}

template <typename Handle>
void release(Handle* handle) {
  delete reinterpret_cast<typename Meant<Handle>::type*>(handle);
}

/// Stores the current C++ exception as this thread's last error; Python exceptions also stay set.
/// Call it in a catch block only.
hither_status keep_error() noexcept;
/// "where: message" of this thread's last error.
const char* error_message() noexcept;
/// Sets the Python error for a status; returns null.
PyObject* raise_status(hither_status status) noexcept;
/// Sets the Python error for a new error of the extension; returns null.
PyObject* raise_new(hither_status status, const char* where, const char* message) noexcept;

/// Runs the body of a function of the table.
template <typename Work>
hither_status status_of(Work&& work) noexcept {
  try {
    work();
    return HITHER_OK;
  } catch (...) {
    return keep_error();
  }
}

/// Another handle of the same object.
template <typename Handle>
hither_status share(const Handle* handle, Handle** out) noexcept {
  return status_of([&] { give(out, of(handle)); });
}

// -- conversion of arguments; Error kValue or kType names the argument

DType dtype_of(hither_dtype dtype);
UsmType usm_type_of(hither_usm_type type);
Dims dims_of(int32_t ndim, const int64_t* values, const char* what);
/// Error kUnsupported for more dimensions than a hither_view has room for.
void require_room(int32_t ndim);
std::vector<Event> events_of(const hither_event* const* events, size_t count);

// -- the parts of the table

void fill_devices(hither_table& table);
void fill_queues(hither_table& table);
void fill_memory(hither_table& table);
void fill_arrays(hither_table& table);
void fill_launches(hither_table& table);
void fill_objects(hither_table& table);

/// The description of an array, without its address.
hither_view describe(const Array& x);

}  // namespace hither::python::c_api
