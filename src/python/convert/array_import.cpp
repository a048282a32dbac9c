#include "python/convert/array_import.h"

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/strides.h>
#include <nanobind/stl/string.h>

#include "python/convert/array_argument.h"
#include "python/convert/cuda_interface.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/interface_fields.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/foreign_owner.h"

namespace hither::python {
namespace {

nb::module_ numpy() { return nb::module_::import_("numpy"); }

[[noreturn]] void refuse_copy(const char* why) {
  throw Error(ErrorKind::kValue, "asarray", fmt::format("copy=False, but {}", why));
}

// The buffer of a NumPy array, and what it says.
struct HostView {
  std::unique_ptr<BufferOwner> owner;
  DType dtype = DType::kBool;
  Dims shape, strides;  ///< strides in bytes

  void* data() const { return owner->view().buf; }
};

// A NumPy array in this machine's byte order, aligned; `converted` tells whether that took a copy.
nb::object native_array(nb::handle object, bool& converted) {
  nb::object array =
      is_numpy_array(object.ptr())
          ? nb::borrow(object)
          : numpy().attr("asarray")(nb::steal(PyMemoryView_FromObject(object.ptr())));
  nb::object dtype = array.attr("dtype");
  converted = false;
  if (!nb::cast<bool>(dtype.attr("isnative"))) {
    array = array.attr("astype")(dtype.attr("newbyteorder")("="));
    converted = true;
  } else if (!nb::cast<bool>(array.attr("flags").attr("aligned"))) {
    array = array.attr("copy")();
    converted = true;
  }
  return array;
}

HostView view_of(nb::handle array) {
  HostView view;
  view.dtype = dtype_argument(array.attr("dtype"), "asarray");
  view.owner = std::make_unique<BufferOwner>(array, PyBUF_STRIDED_RO);
  const Py_buffer& buffer = view.owner->view();
  if (buffer.ndim > kMaxRank) {
    throw Error(
        ErrorKind::kValue, "asarray",
        fmt::format("{} dimensions are more than the {} an array may have", buffer.ndim, kMaxRank));
  }
  for (int i = 0; i < buffer.ndim; ++i) {
    view.shape.push_back(buffer.shape[i]);
    view.strides.push_back(buffer.strides[i]);
  }
  return view;
}

// The memory that a layout reaches. `unit`: bytes that a stride of 1 moves.
struct Span {
  char* lowest;
  int64_t before, bytes;  ///< from the lowest byte to the first element; in all
};

Span span_of(void* first, const Dims& shape, const Dims& strides, int64_t unit, int64_t item) {
  const auto reach = reach_of(shape, strides, unit, item);
  int64_t bytes;
  if (!reach || __builtin_sub_overflow(reach->high, reach->low, &bytes))
    throw Error(ErrorKind::kValue, "asarray", "the strides reach beyond 64 bits");
  return {static_cast<char*>(first) + reach->low, -reach->low, bytes};
}

void require_host_memory(const Queue& queue) {
  if (queue.device().type() == DeviceType::kCpu) return;
  throw Error(ErrorKind::kValue, "asarray",
              fmt::format("copy=False, but {} does not reach host memory; leave copy out",
                          queue.device().filter_string()));
}

// -- lists that hold arrays

bool is_sequence(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

// Looks at everything, so that what is taken apart next is known to end.
const Array* first_array(PyObject* object, int depth = 0) {
  if (is_array(object)) return &array_of(object);
  if (!is_sequence(object)) return nullptr;
  if (depth == kMaxRank)
    throw Error(ErrorKind::kValue, "asarray",
                fmt::format("the lists are nested deeper than the {} dimensions an array may have, "
                            "or one of them holds itself",
                            kMaxRank));
  const Array* found = nullptr;
  const bool list = PyList_Check(object);
  const Py_ssize_t count = PySequence_Size(object);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = list ? PyList_GetItem(object, i) : PyTuple_GetItem(object, i);
    const Array* const inside = first_array(item, depth + 1);
    if (!found) found = inside;
  }
  return found;
}

Array stack_items(nb::handle sequence, const Allocate& where) {
  std::vector<Array> items;
  for (nb::handle item : sequence) {
    items.push_back(import_any(item, {.queue = where.queue}));
    if (items.back().shape() != items.front().shape()) {
      throw Error(ErrorKind::kValue, "asarray",
                  fmt::format("the list is ragged: item {} has another shape than item 0",
                              items.size() - 1));
    }
  }
  DType dtype = items.front().dtype();
  for (const Array& item : items) dtype = promote(dtype, item.dtype());
  Dims shape = items.front().shape();
  if (shape.size() == kMaxRank) throw Error(ErrorKind::kValue, "asarray", "too many dimensions");
  const Dims item_shape = shape;
  shape.insert(0, static_cast<int64_t>(items.size()));
  ReleaseGil unlocked;
  Array result = empty(shape, dtype, where);
  Dims item_strides = result.strides();
  item_strides.erase(0);
  for (size_t i = 0; i < items.size() && result.size() > 0; ++i) {
    const int64_t offset = static_cast<int64_t>(i) * result.strides()[0];
    assign(strided_view(result, item_shape, item_strides, offset), items[i]);
  }
  return result;
}

// -- asarray

// Brings x to where and what was asked for. `fresh`: nobody else has this memory.
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
  ReleaseGil unlocked;
  return full(Dims(), *scalar, dtype, where_of(request));
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
  if (request.dtype && (sequence || scalar_of(object.ptr(), *request.dtype))) {
    array = numpy().attr("asarray")(object, dtype_object(*request.dtype));
  } else {
    array = numpy().attr("asarray")(object);
  }
  if (array.attr("dtype").attr("kind").equal(nb::str("O"))) {
    throw Error(ErrorKind::kType, "asarray",
                sequence
                    ? fmt::format("the {} holds an int beyond 64 bits, or an object that is no "
                                  "number",
                                  type_name(object.ptr()))
                    : fmt::format("a {} cannot become an array", type_name(object.ptr())));
  }
  return from_host_object(array, request);
}

}  // namespace

Array import_host_array(nb::handle object, const Allocate& where) {
  bool converted = false;
  nb::object array = native_array(object, converted);
  const HostView view = view_of(array);
  ReleaseGil unlocked(view.shape.product());
  return from_host(view.data(), view.shape, view.strides, view.dtype, where);
}

Array alias_host_array(nb::handle object, const Allocate& where) {
  require_host_memory(where.queue);
  bool converted = false;
  nb::object array = native_array(object, converted);
  if (converted) refuse_copy("its byte order or alignment has to change");
  HostView view = view_of(array);
  const int64_t itemsize = size_of(view.dtype);
  const Span span = span_of(view.data(), view.shape, view.strides, 1, itemsize);
  Dims strides = view.strides;
  for (int i = 0; i < strides.size(); ++i) {
    if (view.shape[i] > 1 && strides[i] % itemsize != 0) {
      refuse_copy("its strides are no multiples of the element's size");
    }
    strides[i] /= itemsize;
  }
  const bool read_only = view.owner->view().readonly != 0;
  const Memory memory = foreign_memory(where.queue, span.lowest, static_cast<size_t>(span.bytes),
                                       where.usm_type, std::move(view.owner));
  return from_memory(memory, span.before, view.shape, strides, view.dtype, where.queue, read_only);
}

Array import_usm_array(nb::handle object) {
  if (!offers(object, kUsmInterfaceName)) return import_cuda_array(object);
  UsmView view = read_usm_interface(object);
  const int64_t item = size_of(view.dtype);
  const Span span = span_of(view.data, view.shape, view.strides, item, item);
  const Memory memory = foreign_memory(view.queue, span.lowest, static_cast<size_t>(span.bytes),
                                       view.usm_type, std::make_unique<ObjectOwner>(view.owner));
  return from_memory(memory, span.before, view.shape, view.strides, view.dtype, view.queue,
                     view.read_only);
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
