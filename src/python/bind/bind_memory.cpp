// hither.MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost and pointer queries.
#include <hither/memory.h>
#include <hither/memory_info.h>

#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/strides.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_object.h"
#include "python/convert/byte_span.h"
#include "python/convert/current_queue.h"
#include "python/convert/interface_fields.h"
#include "python/convert/memory_object.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/foreign_owner.h"
#include "python/interpreter/gil.h"

namespace hither::python {
namespace {

// Waits for earlier work of the memory's queue, whose writes must be visible to the host. Errors of
// that work are raised by its events, not here.
void finish_pending(const Memory& memory) {
  GilReleased release;
  wait_for_foreign_commands(memory.queue());
  memory.queue().submit_barrier().wait_for_error();
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  const int status = guarded_status([&] {
    const auto& memory = nb::cast<const Memory&>(nb::handle(self));
    if (!memory.host_accessible()) {
      throw Error(
          ErrorKind::kBuffer, "memory",
          fmt::format("{} USM of {} is not accessible from the host; copy it with copy_to_host() "
                      "or hither.asnumpy()",
                      name_of(memory.usm_type()), memory.queue().device().filter_string()));
    }
    finish_pending(memory);
    return PyBuffer_FillInfo(view, self, memory.data(), static_cast<Py_ssize_t>(memory.bytes()), 0,
                             flags);
  });
  if (status != 0) view->obj = nullptr;
  return status;
}

PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)}, {0, nullptr}};

nb::object copy_to_host(nb::handle self, nb::handle target) {
  nb::object host = nb::borrow(target);
  const auto& memory = nb::cast<const Memory&>(self);
  if (host.is_none()) host = nb::module_::import_("builtins").attr("bytearray")(memory.bytes());
  nb::cast(memory.queue()).attr("copy")(host, self).attr("wait")();
  return host;
}

nb::bytes to_bytes(nb::handle self) { return nb::bytes(copy_to_host(self, nb::none())); }

// Copies all of `source` to the front of the memory.
void copy_from(nb::handle self, nb::handle source) {
  const auto& memory = nb::cast<const Memory&>(self);
  const size_t bytes = ByteSpan(source, false, "source").bytes();
  nb::cast(memory.queue()).attr("copy")(self, source, bytes).attr("wait")();
}

nb::dict interface(const Memory& memory) {
  return make_usm_interface(memory.data(), false, Dims{static_cast<int64_t>(memory.bytes())},
                            Dims{1}, DType::kUInt8, nb::cast(memory.queue()));
}

uintptr_t address(const Memory& memory) { return reinterpret_cast<uintptr_t>(memory.data()); }

std::string text(const Memory& memory) {
  return fmt::format("<hither.Memory {} USM, {} bytes at {:#x} on {}>", name_of(memory.usm_type()),
                     memory.bytes(), address(memory), memory.queue().device().filter_string());
}

[[noreturn]] void refuse_address(nb::handle pointer) {
  const std::string given = nb::cast<std::string>(nb::repr(pointer));
  if (!PyLong_Check(pointer.ptr()))
    throw Error(ErrorKind::kType, "pointer", given + " is not an address; give an int");
  throw Error(ErrorKind::kValue, "pointer",
              given + " is not an address; give an int from 0 to 2**64 - 1");
}

void bind_base(nb::module_& m) {
  nb::class_<Memory>(m, "Memory", nb::type_slots(slots), documentation("Memory"))
      .def_prop_ro("nbytes", &Memory::bytes, "The number of bytes.")
      .def_prop_ro("pointer", address,
                   "The address, as an int. The caller must keep this object alive.")
      .def_prop_ro("_pointer", address)
      .def_prop_ro(
          "usm_type", [](const Memory& s) { return name_of(s.usm_type()); },
          "The kind of memory: \"device\", \"shared\" or \"host\".")
      .def_prop_ro("queue", &Memory::queue, "The queue for which it was allocated.")
      .def_prop_ro(
          "device", [](const Memory& s) { return device_of_queue(s.queue()); },
          "The device of the queue.")
      .def_prop_ro(
          "context", [](const Memory& s) { return s.queue().context(); },
          "The SYCL context to which the memory belongs.")
      .def_prop_ro("sycl_queue", &Memory::queue, "dpctl's name for queue.")
      .def_prop_ro(
          "sycl_device", [](const Memory& s) { return s.queue().device(); },
          "dpctl's name for device.")
      .def_prop_ro(
          "sycl_context", [](const Memory& s) { return s.queue().context(); },
          "dpctl's name for context.")
      .def_prop_ro("host_accessible", &Memory::host_accessible,
                   "Whether host code can access the memory.")
      .def("copy_to_host", copy_to_host, nb::arg("target").none() = nb::none(),
           documentation("Memory.copy_to_host"))
      .def("copy_from_host", copy_from, nb::arg("source"), documentation("Memory.copy_from_host"))
      .def("copy_from_device", copy_from, nb::arg("source"),
           documentation("Memory.copy_from_device"))
      .def(
          "memset",
          [](nb::handle self, int value) {
            nb::cast(nb::cast<const Memory&>(self).queue())
                .attr("fill")(self, value)
                .attr("wait")();
          },
          nb::arg("value") = 0, documentation("Memory.memset"))
      .def("tobytes", to_bytes, documentation("Memory.tobytes"))
      .def("__len__", &Memory::bytes)
      .def("__bytes__", to_bytes)
      .def_prop_ro(kUsmInterfaceName, interface)
      .def("__repr__", text);
}

template <class T>
void bind_kind(nb::module_& m, const char* name) {
  nb::class_<T, Memory>(m, name, documentation(name))
      .def(
          "__init__",
          [](T* self, nb::handle bytes, size_t alignment, nb::handle queue, bool copy) {
            new (self) T{allocate_memory(bytes, alignment, queue, T::kType, copy)};
          },
          nb::arg("nbytes").none(), nb::kw_only(), nb::arg("alignment") = 0,
          nb::arg("queue").none() = nb::none(), nb::arg("copy") = false,
          "Allocates nbytes bytes, aligned to at least 64, for a queue (default: the current\n"
          "queue). `nbytes` may also be an object with __sycl_usm_array_interface__: its memory,\n"
          "from the first byte to the last, is used in place, or copied with copy=True. Without\n"
          "copy=True, memory of another USM type, read-only memory and a `queue` other than that "
          "of\n"
          "the object raise ValueError.");
}

}  // namespace

void bind_memory(nb::module_& m) {
  bind_base(m);
  bind_kind<MemoryUSMDevice>(m, "MemoryUSMDevice");
  bind_kind<MemoryUSMShared>(m, "MemoryUSMShared");
  bind_kind<MemoryUSMHost>(m, "MemoryUSMHost");

  nb::class_<PointerInfo>(m, "PointerInfo", documentation("PointerInfo"))
      .def_prop_ro(
          "usm_type", [](const PointerInfo& i) { return name_of(i.type); },
          "The kind of memory: \"device\", \"shared\" or \"host\".")
      .def_ro("device", &PointerInfo::device, "The device for which it was allocated.")
      .def_prop_ro(
          "base", [](const PointerInfo& i) { return reinterpret_cast<uintptr_t>(i.base); },
          "Start of the allocation.")
      .def_ro("nbytes", &PointerInfo::bytes, "Size of the whole allocation.");
  m.def(
      "pointer_info",
      [](nb::handle pointer, const Context& context) {
        uintptr_t address = 0;
        if (!nb::try_cast(pointer, address)) refuse_address(pointer);
        return pointer_info(reinterpret_cast<const void*>(address), context);  // NOLINT
      },
      nb::arg("pointer"), nb::arg("context"),
      nb::sig("def pointer_info(pointer: int, context: Context) -> PointerInfo | None"),
      documentation("pointer_info"));
  m.def(
      "memory_over",
      [](nb::handle object) { return memory_object(memory_under(read_usm_interface(object))); },
      nb::arg("object"),
      "The memory of an object with __sycl_usm_array_interface__, in place, from its first byte\n"
      "to its last, as a Memory of its USM type. Keeps the object alive.");
  m.def(
      "memory_info",
      [](const Context& context) {
        const MemoryInfo info = memory_info(context);
        return nb::make_tuple(info.used, info.cached, info.free, info.peak, info.limit);
      },
      nb::arg("context"),
      "The bytes of memory that are used, cached and free (None if unknown), the peak, and the\n"
      "limit (None if there is none).");
  m.def("set_memory_limit", set_memory_limit, nb::arg("device"), nb::arg("bytes").none(),
        "Limits the memory that this process uses of a device; None ends the limit.");
  m.def("trim_pools", trim_pools, nb::arg("context"), nb::call_guard<GilReleased>(),
        documentation("trim_pools"));
}

}  // namespace hither::python
