#include "python/usm_interface.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/strides.h>
#include <nanobind/stl/string.h>

#include "python/array_argument.h"
#include "python/dtype_argument.h"
#include "python/shown.h"

namespace hither::python {
namespace {

[[noreturn]] void refuse(const char* field, const std::string& message,
                         ErrorKind kind = ErrorKind::kValue) {
  throw Error(kind, fmt::format("{}['{}']", kUsmInterfaceName, field), message);
}

nb::object field(const nb::dict& fields, const char* name) {
  return nb::borrow(fields.contains(name) ? fields[name] : nb::none());
}

nb::object required(const nb::dict& fields, const char* name) {
  if (!fields.contains(name)) refuse(name, "is missing");
  return nb::borrow(fields[name]);
}

// bool is an int to Python, and never meant where an extent, an address or a version is.
int64_t integer(nb::handle object, const char* name) {
  int64_t value = 0;
  if (nb::isinstance<nb::bool_>(object) || !nb::isinstance<nb::int_>(object)) {
    refuse(name, fmt::format("{} is not an int", shown(object)), ErrorKind::kType);
  }
  if (!nb::try_cast(object, value))
    refuse(name, fmt::format("{} needs more than 64 bits", shown(object)));
  return value;
}

Dims integers(nb::handle object, const char* name) {
  if (!nb::isinstance<nb::tuple>(object)) {
    refuse(name, fmt::format("{} is not a tuple of ints", shown(object)), ErrorKind::kType);
  }
  Dims dims;
  for (nb::handle item : nb::borrow<nb::tuple>(object)) {
    if (dims.size() == kMaxRank) refuse(name, fmt::format("has more than {} dimensions", kMaxRank));
    dims.push_back(integer(item, name));
  }
  return dims;
}

void read_version(const nb::dict& fields) {
  const int64_t version = integer(required(fields, "version"), "version");
  if (version != 1)
    refuse("version", fmt::format("{} is unknown; hither reads version 1", version));
}

DType read_dtype(const nb::dict& fields) {
  nb::object code = required(fields, "typestr");
  if (!nb::isinstance<nb::str>(code)) {
    refuse("typestr", fmt::format("{} is not a string", shown(code)), ErrorKind::kType);
  }
  if (nb::object parts = field(fields, "typedescr"); !parts.is_none()) {
    bool tuples = nb::isinstance<nb::list>(parts);
    if (tuples) {
      for (nb::handle part : nb::borrow<nb::list>(parts)) tuples &= nb::isinstance<nb::tuple>(part);
    }
    if (!tuples) {
      refuse("typedescr", fmt::format("{} is not a list of tuples", shown(parts)),
             ErrorKind::kType);
    }
  }
  std::string name;
  if (!nb::try_cast(code, name)) refuse("typestr", fmt::format("{} is no name", shown(code)));
  if (name.size() < 3 || std::string_view("<>|=").find(name[0]) == std::string_view::npos) {
    refuse("typestr", fmt::format("{} is not of the form '<f4'", shown(code)));
  }
  try {
    return dtype_argument(code);
  } catch (const Error&) {
    refuse("typestr",
           fmt::format("{} is no type of hither's, or in the other byte order", shown(code)),
           ErrorKind::kType);
  }
}

void read_layout(const nb::dict& fields, UsmView& view) {
  view.shape = integers(required(fields, "shape"), "shape");
  try {
    element_count(view.shape);
  } catch (const Error& error) {
    refuse("shape", error.message());
  }
  view.strides = contiguous_strides(view.shape);
  nb::object strides = field(fields, "strides");
  if (strides.is_none()) return;
  view.strides = integers(strides, "strides");
  if (view.strides.size() != view.shape.size()) {
    refuse("strides",
           fmt::format("has {} numbers for {} dimensions", view.strides.size(), view.shape.size()));
  }
}

// Not by the product, which may overflow.
bool is_empty(const Dims& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

void check_reach(const UsmView& view, const char* base, int64_t bytes, const char* name) {
  if (is_empty(view.shape)) return;
  const int64_t item = size_of(view.dtype);
  const auto reach = reach_of(view.shape, view.strides, item, item);
  int64_t low = static_cast<const char*>(view.data) - base, high = low;
  if (!reach || __builtin_add_overflow(low, reach->low, &low) ||
      __builtin_add_overflow(high, reach->high, &high))
    refuse("strides", "reach beyond 64 bits");
  if (low < 0 || high > bytes)
    refuse(name, fmt::format(
                     "shape, strides and offset reach bytes {} to {} of an allocation of {} bytes",
                     low, high, bytes));
}

void check_alignment(const UsmView& view, const char* name) {
  const auto unit = static_cast<uintptr_t>(std::min<int64_t>(size_of(view.dtype), 8));
  if (reinterpret_cast<uintptr_t>(view.data) % unit == 0) return;
  refuse(name, fmt::format("the address of the first element, {}, is no multiple of {}, which its "
                           "type needs",
                           fmt::ptr(view.data), unit));
}

void read_pointer(nb::handle data, int64_t offset, UsmView& view) {
  if (!nb::isinstance<nb::tuple>(data) || nb::len(data) != 2) {
    refuse("data", fmt::format("{} is not a tuple (address, read-only flag)", shown(data)),
           ErrorKind::kType);
  }
  nb::object flag = nb::borrow(data)[1];
  if (!nb::isinstance<nb::bool_>(flag)) {
    refuse("data", fmt::format("the read-only flag {} is not a bool", shown(flag)),
           ErrorKind::kType);
  }
  view.read_only = nb::cast<bool>(flag);
  nb::object address = nb::borrow(data)[0];
  uint64_t value = 0;
  if (nb::isinstance<nb::bool_>(address) || !nb::isinstance<nb::int_>(address) ||
      !nb::try_cast(address, value)) {
    refuse("data", fmt::format("the address {} is not an int", shown(address)), ErrorKind::kType);
  }
  view.data = reinterpret_cast<char*>(value + static_cast<uint64_t>(offset));            // NOLINT
  const auto info = pointer_info(reinterpret_cast<void*>(value), view.queue.context());  // NOLINT
  if (info) view.usm_type = info->type;
  if (is_empty(view.shape)) return;
  if (!info) {
    throw Error(
        ErrorKind::kBuffer, fmt::format("{}['data']", kUsmInterfaceName),
        fmt::format(
            "the address {:#x} is not bound to the context of syclobj ({}); its owner has to "
            "give the queue or context that it was allocated in",
            value, view.queue.device().filter_string()));
  }
  check_reach(view, static_cast<const char*>(info->base), static_cast<int64_t>(info->bytes),
              "shape");
  check_alignment(view, "data");
}

// Without `data`: the buffer protocol of the object itself.
void read_buffer(nb::handle object, int64_t offset, UsmView& view) {
  if (!PyObject_CheckBuffer(object.ptr())) {
    refuse("data", "is missing, and the object has no buffer protocol either");
  }
  if (view.queue.device().type() != DeviceType::kCpu) {
    refuse("data", fmt::format("is missing, and {} does not reach the host memory of a buffer",
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
  check_reach(view, base, bytes, "shape");
  if (!is_empty(view.shape)) check_alignment(view, "offset");
}

// dpctl's raw memory, which is always writable, has the flag set.
bool is_memory_of_dpctl(nb::handle object) {
  std::string module;
  return nb::try_cast(object.type().attr("__module__"), module) &&
         module.starts_with("dpctl.memory");
}

}  // namespace

UsmView read_usm_interface(nb::handle object) {
  nb::object found = object.attr(kUsmInterfaceName);
  if (!nb::isinstance<nb::dict>(found)) {
    throw Error(ErrorKind::kType, kUsmInterfaceName, fmt::format("{} is not a dict", shown(found)));
  }
  const auto fields = nb::borrow<nb::dict>(found);
  read_version(fields);
  UsmView view{.dtype = read_dtype(fields),
               .queue = syclobj_queue(required(fields, "syclobj")),
               .owner = nb::borrow(object)};
  read_layout(fields, view);
  int64_t offset = 0;
  if (nb::object given = field(fields, "offset"); !given.is_none()) {
    if (__builtin_mul_overflow(integer(given, "offset"), size_of(view.dtype), &offset)) {
      refuse("offset", "reaches beyond 64 bits");
    }
  }
  nb::object data = field(fields, "data");
  if (data.is_none()) {
    read_buffer(object, offset, view);
  } else {
    read_pointer(data, offset, view);
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
