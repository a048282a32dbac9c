#include "python/convert/array_import.h"

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/list_import.h"

namespace hither::python {
namespace {

// Converts x to the requested dtype, queue and usm_type. `fresh`: no other object shares its
// memory.
Array fit(Array x, const ImportRequest& request, bool fresh) {
  ReleaseGil unlocked;
  const bool never = request.copy == false;
  if (request.dtype && *request.dtype != x.dtype()) {
    if (never) refuse_copy("the dtype differs");
    x = astype(x, *request.dtype);
    fresh = true;
  }
  if (request.queue || request.usm_type) {
    Array moved =
        to_queue(x, {request.queue.value_or(x.queue()), request.usm_type.value_or(x.usm_type())});
    const bool copied = moved.storage() != x.storage();
    if (copied && never) refuse_copy("the queue's context or the usm_type differs");
    fresh = fresh || copied;
    x = std::move(moved);
  }
  if (request.copy == true && !fresh) x = copy(x);
  return x;
}

Allocate where_of(const ImportRequest& request) {
  return {request.queue ? *request.queue : resolve_queue(nb::none()),
          request.usm_type.value_or(UsmType::kDevice)};
}

Array from_host_object(nb::handle object, const ImportRequest& request) {
  Allocate where = where_of(request);
  if (request.copy != false)
    return fit(import_host_array(object, where), {.dtype = request.dtype}, true);
  if (!request.usm_type) where.usm_type = UsmType::kHost;
  return fit(alias_host_array(object, where), {.dtype = request.dtype, .copy = false}, false);
}

std::optional<Array> from_scalar(PyObject* object, const ImportRequest& request) {
  const auto scalar = scalar_of(object, request.dtype.value_or(DType::kInt64));
  if (!scalar) return std::nullopt;
  if (request.copy == false) refuse_copy("a number has no memory of its own");
  const DType dtype = request.dtype.value_or(scalar->dtype());
  if (!scalar->fits(dtype)) return std::nullopt;
  const Allocate where = where_of(request);
  ReleaseGil unlocked;
  return full(Dims(), *scalar, dtype, where);
}

nb::handle numpys_asarray() {
  static PyObject* function =  // for the life of the process
      nb::object(nb::module_::import_("numpy").attr("asarray")).release().ptr();
  return function;
}

// numpy.asarray(object), or the hither array that __array__ of an object gives, which NumPy
// refuses: the object's class uses hither.numpy in place of NumPy.
nb::object as_numpy_or_hither(nb::handle object) {
  try {
    return numpys_asarray()(object);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) || !nb::hasattr(object.type(), "__array__")) throw;
    nb::object made = object.attr("__array__")();
    if (!is_array(made.ptr())) throw;
    return made;
  }
}

bool has_objects(nb::handle array) {
  constexpr int kObject = 17;  // NPY_OBJECT
  return nb::cast<int>(array.attr("dtype").attr("num")) == kObject;
}

// Whether Python's float(), complex() or int() takes the object.
bool converts_to_number(nb::handle object) {
  const nb::handle type = object.type();
  return nb::hasattr(type, "__float__") || nb::hasattr(type, "__complex__") ||
         nb::hasattr(type, "__index__");
}

// Lists, numbers that need NumPy's conversion, objects with __array__ or __array_interface__.
Array from_any_object(nb::handle object, const ImportRequest& request) {
  const bool sequence = is_sequence(object.ptr());
  if (request.copy == false && sequence) refuse_copy("a list has no memory of its own");
  if (sequence) {
    if (const Array* first = first_array(object.ptr())) {
      const Allocate where{request.queue.value_or(first->queue()),
                           request.usm_type.value_or(first->usm_type())};
      return fit(stack_items(object, where), {.dtype = request.dtype}, true);
    }
  }
  nb::object array;
  if (request.dtype && !needs_ml_dtypes(*request.dtype) &&
      (sequence || scalar_of(object.ptr(), *request.dtype))) {
    array = numpys_asarray()(object, dtype_object(*request.dtype));
  } else {
    array = as_numpy_or_hither(object);
  }
  if (is_array(array.ptr())) return fit(array_of(array.ptr()), request, false);
  const bool is_number =
      !sequence && request.dtype && !needs_ml_dtypes(*request.dtype) && converts_to_number(object);
  if (has_objects(array) && is_number)
    array = numpys_asarray()(object, dtype_object(*request.dtype));
  if (has_objects(array)) {
    throw Error(
        ErrorKind::kType, "asarray",
        sequence
            ? fmt::format("the {} holds an int beyond 64 bits, or an object that is not "
                          "a number",
                          type_name(object.ptr()))
            : fmt::format("{} cannot become an array; pass numbers, nested lists of numbers, or an "
                          "object with a buffer or __dlpack__",
                          a_type(object.ptr())));
  }
  return from_host_object(array, request);
}

}  // namespace

void refuse_copy(const char* why) {
  throw Error(ErrorKind::kValue, "asarray", fmt::format("copy=False, but {}", why));
}

Array import_any(nb::handle object, const ImportRequest& request) {
  PyObject* p = object.ptr();
  if (is_array(p)) return fit(array_of(p), request, false);
  if (Py_TYPE(p) == numpy_array_type) return from_host_object(object, request);
  if (auto scalar = from_scalar(p, request)) return *scalar;
  if (is_foreign_usm_array(p)) return fit(import_usm_array(object), request, false);
  if (PyObject_CheckBuffer(p) && !is_numpy_scalar(p)) return from_host_object(object, request);
  if (nb::hasattr(object, "__dlpack__")) {
    return fit(import_dlpack(object, request.queue, request.copy), request, request.copy == true);
  }
  return from_any_object(object, request);
}

}  // namespace hither::python
