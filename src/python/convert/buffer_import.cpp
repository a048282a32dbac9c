// Arrays from the host's memory: NumPy's arrays and the buffer protocol.
#include <memory>

#include <fmt/format.h>
#include <hither/error.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/array_span.h"
#include "python/convert/dtype_argument.h"
#include "python/interpreter/foreign_owner.h"

namespace hither::python {
namespace {

// The buffer of a NumPy array, with its dtype, shape and strides.
struct HostView {
  std::unique_ptr<BufferOwner> owner;
  DType dtype = DType::kBool;
  Dims shape, strides;  ///< strides in bytes

  void* data() const { return owner->view().buf; }
};

// An aligned NumPy array in native byte order; `converted`: whether that needed a copy.
nb::object native_array(nb::handle object, bool& converted) {
  nb::object array = is_numpy_array(object.ptr())
                         ? nb::borrow(object)
                         : nb::module_::import_("numpy").attr("asarray")(
                               nb::steal(PyMemoryView_FromObject(object.ptr())));
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
  nb::object bits = nb::borrow(array);
  if (needs_ml_dtypes(view.dtype))
    bits = array.attr("view")(dtype_object(exchanged_as(view.dtype)));
  view.owner = std::make_unique<BufferOwner>(bits, PyBUF_STRIDED_RO);
  const Py_buffer& buffer = view.owner->view();
  if (buffer.ndim > kMaxRank) {
    throw Error(
        ErrorKind::kValue, "asarray",
        fmt::format("{} dimensions were given; an array has at most {}", buffer.ndim, kMaxRank));
  }
  for (int i = 0; i < buffer.ndim; ++i) {
    view.shape.push_back(buffer.shape[i]);
    view.strides.push_back(buffer.strides[i]);
  }
  return view;
}

void require_host_memory(const Queue& queue) {
  if (queue.device().type() == DeviceType::kCpu) return;
  throw Error(ErrorKind::kValue, "asarray",
              fmt::format("copy=False, but {} cannot access host memory; leave copy out",
                          queue.device().filter_string()));
}

}  // namespace

Array import_host_array(nb::handle object, const Allocate& where, const Queue* carrier) {
  bool converted = false;
  nb::object array = native_array(object, converted);
  const HostView view = view_of(array);
  ReleaseGil unlocked(view.shape.product());
  return from_host(view.data(), view.shape, view.strides, view.dtype, where, carrier);
}

Array alias_host_array(nb::handle object, const Allocate& where) {
  require_host_memory(where.queue);
  bool converted = false;
  nb::object array = native_array(object, converted);
  if (converted) refuse_copy("its byte order or alignment has to change");
  HostView view = view_of(array);
  const int64_t itemsize = size_of(view.dtype);
  const ArraySpan span = span_of(view.data(), view.shape, view.strides, 1, itemsize);
  Dims strides = view.strides;
  for (int i = 0; i < strides.size(); ++i) {
    if (view.shape[i] > 1 && strides[i] % itemsize != 0) {
      refuse_copy("its strides are not multiples of the element's size");
    }
    strides[i] /= itemsize;
  }
  const bool read_only = view.owner->view().readonly != 0;
  const Memory memory = foreign_memory(where.queue, span.lowest, static_cast<size_t>(span.bytes),
                                       where.usm_type, std::move(view.owner));
  return from_memory(memory, span.before, view.shape, strides, view.dtype, where.queue, read_only);
}

}  // namespace hither::python
