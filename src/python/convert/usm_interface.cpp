#include "python/convert/usm_interface.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/strides.h>
#include <nanobind/stl/string.h>

#include "python/convert/array_argument.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/interface_fields.h"

namespace hither::python {
namespace {

// Not by the product, which may overflow.
bool is_empty(const Dims& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

struct Extent {
  int64_t low, high;
};

// The range of bytes that the elements take, relative to `base`.
Extent extent_of(const InterfaceFields& fields, const UsmView& view, const char* base) {
  const int64_t item = size_of(view.dtype);
  const auto reach = reach_of(view.shape, view.strides, item, item);
  int64_t low = static_cast<const char*>(view.data) - base, high = low, bytes;
  if (!reach || __builtin_add_overflow(low, reach->low, &low) ||
      __builtin_add_overflow(high, reach->high, &high) || __builtin_sub_overflow(high, low, &bytes))
    fields.refuse("strides", "reach beyond 64 bits");
  return {low, high};
}

[[noreturn]] void refuse_reach(const InterfaceFields& fields, Extent extent, int64_t bytes) {
  const std::string size = bytes == PTRDIFF_MAX ? "that is smaller"  // the size is unknown
                                                : fmt::format("of {} bytes", bytes);
  fields.refuse("shape", fmt::format("shape, strides and offset reach bytes {} to {} of an "
                                     "allocation {}",
                                     extent.low, extent.high, size));
}

void read_pointer(const InterfaceFields& fields, nb::handle data, int64_t offset, UsmView& view) {
  const auto [address, read_only] = fields.data(data);
  view.read_only = read_only;
  const auto first = reinterpret_cast<uintptr_t>(address) + static_cast<uintptr_t>(offset);
  view.data = reinterpret_cast<char*>(first);  // NOLINT(performance-no-int-to-ptr)
  const auto info = pointer_info(address, view.queue.context());
  if (info) view.usm_type = info->type;
  if (is_empty(view.shape)) return;
  if (!info) {
    throw Error(
        ErrorKind::kBuffer, fmt::format("{}['data']", kUsmInterfaceName),
        fmt::format("the address {} is not bound to the context of syclobj ({}); its owner has to "
                    "give the queue or context that it was allocated in",
                    fmt::ptr(address), view.queue.device().filter_string()));
  }
  const char* const base = static_cast<const char*>(info->base);
  const Extent extent = extent_of(fields, view, base);
  // Integers, because the range may lie beyond any memory.
  const auto low = reinterpret_cast<uintptr_t>(base) + static_cast<uintptr_t>(extent.low);
  if (!is_known_range(reinterpret_cast<const void*>(low),  // NOLINT(performance-no-int-to-ptr)
                      static_cast<size_t>(extent.high - extent.low), view.queue.context()))
    refuse_reach(fields, extent, static_cast<int64_t>(info->bytes));
  fields.check_alignment(view.data, view.dtype, "data");
}

// Without `data`: the buffer protocol of the object itself.
void read_buffer(const InterfaceFields& fields, nb::handle object, int64_t offset, UsmView& view) {
  if (!PyObject_CheckBuffer(object.ptr())) {
    fields.refuse("data", "is missing, and the object has no buffer protocol either");
  }
  if (view.queue.device().type() != DeviceType::kCpu) {
    fields.refuse("data",
                  fmt::format("is missing, and {} cannot access the host memory of a buffer",
                              view.queue.device().filter_string()));
  }
  Py_buffer buffer;
  nb::object held = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!held.is_valid() || PyObject_GetBuffer(held.ptr(), &buffer, PyBUF_ANY_CONTIGUOUS) != 0) {
    throw nb::python_error();
  }
  view.read_only = buffer.readonly != 0;
  view.data = static_cast<char*>(buffer.buf) + offset;
  const auto* base = static_cast<const char*>(buffer.buf);
  const auto bytes = static_cast<int64_t>(buffer.len);
  PyBuffer_Release(&buffer);  // the memoryview keeps it
  view.usm_type = UsmType::kHost;
  view.owner = std::move(held);
  if (is_empty(view.shape)) return;
  const Extent extent = extent_of(fields, view, base);
  if (extent.low < 0 || extent.high > bytes) refuse_reach(fields, extent, bytes);
  fields.check_alignment(view.data, view.dtype, "offset");
}

// dpctl's raw memory is always writable, but its interface has the read-only flag set.
bool is_memory_of_dpctl(nb::handle object) {
  std::string module;
  return nb::try_cast(object.type().attr("__module__"), module) &&
         module.starts_with("dpctl.memory");
}

}  // namespace

UsmView read_usm_interface(nb::handle object) {
  const InterfaceFields fields(kUsmInterfaceName, object.attr(kUsmInterfaceName));
  if (const int64_t version = fields.version(); version != 1)
    fields.refuse("version", fmt::format("{} is unknown; hither reads version 1", version));
  const nb::object data = fields.optional("data");
  const void* const address = data.is_none() ? nullptr : fields.data(data).address;
  UsmView view{.dtype = fields.dtype("typedescr"),
               .queue = syclobj_queue(fields.required("syclobj"), address),
               .owner = nb::borrow(object)};
  view.shape = fields.shape();
  view.strides = fields.strides(view.shape, 1);
  int64_t offset = 0;
  if (nb::object given = fields.optional("offset"); !given.is_none()) {
    if (__builtin_mul_overflow(fields.integer(given, "offset"), size_of(view.dtype), &offset)) {
      fields.refuse("offset", "reaches beyond 64 bits");
    }
  }
  if (data.is_none()) {
    read_buffer(fields, object, offset, view);
  } else {
    read_pointer(fields, data, offset, view);
    if (is_memory_of_dpctl(object)) view.read_only = false;
  }
  return view;
}

nb::dict make_usm_interface(void* data, bool read_only, const Dims& shape, const Dims& strides,
                            DType dtype, nb::handle queue) {
  nb::dict fields;
  fields["shape"] = to_tuple(shape);
  fields["typestr"] = typestr(dtype);
  fields["data"] = nb::make_tuple(reinterpret_cast<uintptr_t>(data), read_only);
  fields["strides"] = is_contiguous(shape, strides) ? nb::none() : nb::object(to_tuple(strides));
  fields["offset"] = 0;
  fields["version"] = 1;
  fields["syclobj"] = queue;
  return fields;
}

}  // namespace hither::python
