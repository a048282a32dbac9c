// hither.asarray, hither.empty and so on.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/manipulate.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "error/nearest_name.h"
#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"
#include "python/convert/array_import.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/interpreter/shown.h"

namespace hither::python {
namespace {

std::optional<DType> optional_dtype(nb::handle dtype) {
  if (dtype.is_none()) return std::nullopt;
  return dtype_argument(dtype);
}

Scalar number(nb::handle object, const char* where, DType other_dtype) {
  const auto scalar = scalar_of(object.ptr(), other_dtype);
  if (scalar) return *scalar;
  throw Error(ErrorKind::kType, where, "is " + a_type(object.ptr()) + ", not a number");
}

ImportRequest request_of(nb::handle dtype, std::optional<bool> copy, const WhereKeywords& where) {
  ImportRequest request{.dtype = optional_dtype(dtype),
                        .copy = copy,
                        .queue = explicit_queue(where.queue, where.sycl_queue, where.device)};
  if (!where.usm_type.is_none()) request.usm_type = to_usm_type(where.usm_type);
  return request;
}

// Whether the argument is a queue, a device, a capsule, or a string that is not the name of a
// dtype.
bool names_queue(nb::handle object) {
  if (object.is_none()) return false;
  if (nb::isinstance<Queue>(object) || nb::isinstance<Device>(object) ||
      PyCapsule_CheckExact(object.ptr()))
    return true;
  if (PyType_Check(object.ptr()) || is_array(object.ptr())) return false;
  if (!nb::isinstance<nb::str>(object))
    return nb::hasattr(object, "sycl_queue") || nb::hasattr(object, "sycl_device");
  if (is_name_of_ml_dtypes(object)) return false;
  try {
    nb::module_::import_("numpy").attr("dtype")(object);
    return false;
  } catch (const nb::python_error&) {
    return true;
  }
}

// Raises an error if the string is not a filter string either.
void check_dtype_or_device(nb::handle name) {
  try {
    (void)explicit_queue(name);
  } catch (const Error& error) {
    const auto text = nb::cast<std::string>(name);
    if (text.find_first_of(":,") != text.npos) throw;
    std::vector<std::string_view> known{"cpu",  "gpu",        "accelerator", "native_cpu",
                                        "cuda", "level_zero", "opencl"};
    if (std::ranges::find(known, text) != known.end()) throw;
    for (int i = 0; i < kDTypeCount; ++i) known.push_back(name_of(static_cast<DType>(i)));
    throw Error(
        ErrorKind::kType, "asarray",
        shown(name) + " is neither a dtype nor a device" + error::did_you_mean(text, known));
  }
}

// The queue and the type of memory that the keywords leave open are those of `like`.
void complete(ImportRequest& request, nb::handle like) {
  if (like.is_none()) return;
  if (!is_array(like.ptr())) {
    throw Error(ErrorKind::kType, "asarray",
                "like= is " + a_type(like.ptr()) + "; pass a hither.Array");
  }
  const Array& x = array_of(like.ptr());
  if (!request.queue) request.queue = x.queue();
  if (!request.usm_type) request.usm_type = x.usm_type();
}

Array asarray(nb::handle object, nb::handle dtype, nb::handle device, std::optional<bool> copy,
              nb::handle queue, nb::handle sycl_queue, nb::handle usm_type, nb::handle like) {
  const bool queue_first = names_queue(dtype);
  if (queue_first && !queue.is_none())
    throw Error(ErrorKind::kType, "asarray",
                "got a queue both by position and as queue=; give one of them");
  if (queue_first && nb::isinstance<nb::str>(dtype)) check_dtype_or_device(dtype);
  ImportRequest request = queue_first
                              ? request_of(nb::none(), copy, {dtype, sycl_queue, device, usm_type})
                              : request_of(dtype, copy, {queue, sycl_queue, device, usm_type});
  complete(request, like);
  return import_any(object, request);
}

Array from_dlpack(nb::handle object, nb::handle device, std::optional<bool> copy, nb::handle queue,
                  nb::handle sycl_queue) {
  if (!is_array(object.ptr()) && !nb::hasattr(object, "__dlpack__")) {
    throw Error(ErrorKind::kType, "from_dlpack",
                a_type(object.ptr()) + " has no __dlpack__; hither.asarray takes other objects");
  }
  ImportRequest request = request_of(nb::none(), copy, {queue, sycl_queue, device, nb::none()});
  if (is_array(object.ptr())) return import_any(object, request);
  Array x = import_dlpack(object, request.queue, copy);
  if (!request.queue) return x;
  // The producer has made the requested copy. Moving to the queue may still need another.
  if (request.copy == true) request.copy = std::nullopt;
  const Array moved = unlocked([&] { return to_queue(x, {*request.queue, x.usm_type()}); });
  if (request.copy == false && moved.storage() != x.storage()) {
    throw Error(ErrorKind::kValue, "from_dlpack",
                "copy=False, but the queue's device needs a copy");
  }
  return moved;
}

// Calls function(arguments...), which may submit work.
template <typename Function, typename... Arguments>
Array made(Function function, const Arguments&... arguments) {
  return unlocked([&] { return function(arguments...); });
}

Array make_empty(nb::handle shape, nb::handle dtype, nb::handle device, nb::handle queue,
                 nb::handle sycl_queue, nb::handle usm_type) {
  return made(empty, to_shape(shape), optional_dtype(dtype).value_or(DType::kFloat64),
              to_allocate({queue, sycl_queue, device, usm_type}));
}

// An array of `shape` filled with fill_value, a number or an array that broadcasts to the shape.
// The default dtype is that of fill_value. The default queue is that of fill_value if it is a
// hither array.
Array filled(const Dims& shape, nb::handle value, std::optional<DType> wanted,
             const WhereKeywords& keywords, const Array* like) {
  // A 0-dimensional NumPy array is cast as other arrays are.
  const auto scalar = is_numpy_array(value.ptr())
                          ? std::nullopt
                          : scalar_of(value.ptr(), wanted.value_or(DType::kInt64));
  if (scalar)
    return made(full, shape, *scalar, wanted.value_or(scalar->dtype()),
                to_allocate(keywords, like));
  if (!like && is_array(value.ptr())) like = &array_of(value.ptr());
  const Allocate where = to_allocate(keywords, like);
  if (value.is_none()) throw Error(ErrorKind::kType, "fill_value", "is a NoneType, not a number");
  const Array given = import_any(value, {.queue = where.queue, .usm_type = where.usm_type});
  return unlocked([&] {
    const DType dtype = wanted.value_or(given.dtype());
    return copy(broadcast_to(astype(given, dtype, false), shape));
  });
}

Array make_full(nb::handle shape, nb::handle value, nb::handle dtype, nb::handle device,
                nb::handle queue, nb::handle sycl_queue, nb::handle usm_type) {
  return filled(to_shape(shape), value, optional_dtype(dtype),
                {queue, sycl_queue, device, usm_type}, nullptr);
}

template <int value>
Array make_constant(nb::handle shape, nb::handle dtype, nb::handle device, nb::handle queue,
                    nb::handle sycl_queue, nb::handle usm_type) {
  return made(full, to_shape(shape), Scalar(value), optional_dtype(dtype).value_or(DType::kFloat64),
              to_allocate({queue, sycl_queue, device, usm_type}));
}

// The arguments of the functions ..._like. Missing ones come from the prototype.
struct Like {
  Dims shape;
  DType dtype;
  Allocate where;
};

Like like(const Array& x, nb::handle shape, nb::handle dtype, const WhereKeywords& where) {
  return {shape.is_none() ? x.shape() : to_shape(shape), optional_dtype(dtype).value_or(x.dtype()),
          to_allocate(where, &x)};
}

Array empty_like(const Array& x, nb::handle dtype, nb::handle device, nb::handle queue,
                 nb::handle sycl_queue, nb::handle usm_type, nb::handle shape) {
  const Like l = like(x, shape, dtype, {queue, sycl_queue, device, usm_type});
  return made(empty, l.shape, l.dtype, l.where);
}

template <int value>
Array constant_like(const Array& x, nb::handle dtype, nb::handle device, nb::handle queue,
                    nb::handle sycl_queue, nb::handle usm_type, nb::handle shape) {
  const Like l = like(x, shape, dtype, {queue, sycl_queue, device, usm_type});
  return made(full, l.shape, Scalar(value), l.dtype, l.where);
}

Array full_like(const Array& x, nb::handle value, nb::handle dtype, nb::handle device,
                nb::handle queue, nb::handle sycl_queue, nb::handle usm_type, nb::handle shape) {
  const Dims wanted = shape.is_none() ? x.shape() : to_shape(shape);
  return filled(wanted, value, optional_dtype(dtype).value_or(x.dtype()),
                {queue, sycl_queue, device, usm_type}, &x);
}

Array make_iota(int64_t count, nb::handle start, nb::handle step, nb::handle dtype,
                nb::handle device, nb::handle queue, nb::handle sycl_queue, nb::handle usm_type) {
  const DType wanted = dtype_argument(dtype);
  return made(iota, count, number(start, "start", wanted), number(step, "step", wanted), wanted,
              to_allocate({queue, sycl_queue, device, usm_type}));
}

// The last keywords of every function of this file.
#define HITHER_WHERE                                                           \
  nb::arg("device").none() = nb::none(), nb::arg("queue").none() = nb::none(), \
  nb::arg("sycl_queue").none() = nb::none(), nb::arg("usm_type").none() = nb::none()
#define HITHER_DTYPE nb::arg("dtype").none() = nb::none()

void bind_constants(nb::module_& m) {
  m.def("empty", make_empty, nb::arg("shape"), HITHER_DTYPE, nb::kw_only(), HITHER_WHERE,
        documentation("empty"));
  m.def("zeros", make_constant<0>, nb::arg("shape"), HITHER_DTYPE, nb::kw_only(), HITHER_WHERE,
        documentation("zeros"));
  m.def("ones", make_constant<1>, nb::arg("shape"), HITHER_DTYPE, nb::kw_only(), HITHER_WHERE,
        documentation("ones"));
  m.def("full", make_full, nb::arg("shape"), nb::arg("fill_value").none(), HITHER_DTYPE,
        nb::kw_only(), HITHER_WHERE, documentation("full"));
  m.def("empty_like", empty_like, nb::arg("x"), HITHER_DTYPE, nb::kw_only(), HITHER_WHERE,
        nb::arg("shape").none() = nb::none(), documentation("empty_like"));
  m.def("zeros_like", constant_like<0>, nb::arg("x"), HITHER_DTYPE, nb::kw_only(), HITHER_WHERE,
        nb::arg("shape").none() = nb::none(), documentation("zeros_like"));
  m.def("ones_like", constant_like<1>, nb::arg("x"), HITHER_DTYPE, nb::kw_only(), HITHER_WHERE,
        nb::arg("shape").none() = nb::none(), documentation("ones_like"));
  m.def("full_like", full_like, nb::arg("x"), nb::arg("fill_value").none(), HITHER_DTYPE,
        nb::kw_only(), HITHER_WHERE, nb::arg("shape").none() = nb::none(),
        documentation("full_like"));
}

}  // namespace

void bind_array_creation(nb::module_& m) {
  m.def("asarray", asarray, nb::arg("obj").none(), HITHER_DTYPE, nb::kw_only(),
        nb::arg("device").none() = nb::none(), nb::arg("copy").none() = nb::none(),
        nb::arg("queue").none() = nb::none(), nb::arg("sycl_queue").none() = nb::none(),
        nb::arg("usm_type").none() = nb::none(), nb::arg("like").none() = nb::none(),
        documentation("asarray"));
  m.def("from_dlpack", from_dlpack, nb::arg("x"), nb::kw_only(),
        nb::arg("device").none() = nb::none(), nb::arg("copy").none() = nb::none(),
        nb::arg("queue").none() = nb::none(), nb::arg("sycl_queue").none() = nb::none(),
        documentation("from_dlpack"));
  bind_constants(m);
  m.def(
      "received",
      [](nb::handle values, const Queue& queue, const Queue& carrier, nb::handle usm_type) {
        return import_host_array(values, {queue, to_usm_type(usm_type)}, &carrier);
      },
      nb::arg("values"), nb::arg("queue"), nb::arg("carrier"), nb::arg("usm_type"),
      "A copy of NumPy's array on `queue`. `carrier`, an equivalent queue, copies, so that the\n"
      "copy does not wait for tasks of `queue`.");
  m.def("iota", make_iota, nb::arg("count"), nb::arg("start"), nb::arg("step"), nb::arg("dtype"),
        nb::kw_only(), HITHER_WHERE, "start + i * step for i in [0, count).");
  m.def(
      "as_elements",
      [](const Array& x, nb::handle dtype) { return as_elements(x, dtype_argument(dtype)); },
      nb::arg("x"), nb::arg("dtype"),
      "The memory of a new array, which no other array names, as elements of another dtype.");
}

}  // namespace hither::python
