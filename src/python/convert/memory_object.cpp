#include "python/convert/memory_object.h"

#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/strides.h>
#include <nanobind/stl/string.h>

#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/interface_fields.h"
#include "python/interpreter/foreign_owner.h"
#include "python/interpreter/gil.h"

namespace hither::python {
namespace {

Memory adopted(nb::handle object, size_t alignment, nb::handle queue, UsmType type, bool copy) {
  const UsmView view = read_usm_interface(object);
  Memory there = memory_under(view);
  if (!copy) {
    if (!queue.is_none() && resolve_queue(queue) != there.queue())
      throw Error(ErrorKind::kValue, "queue",
                  fmt::format("differs from the queue of the {}, whose memory is used in place; "
                              "omit it, or pass copy=True",
                              type_name(object.ptr())));
    if (view.read_only)
      throw Error(ErrorKind::kValue, "nbytes",
                  fmt::format("the {} is read-only, but a Memory is writable; pass copy=True",
                              type_name(object.ptr())));
    if (there.usm_type() == type) return there;
    throw Error(ErrorKind::kValue, "nbytes",
                fmt::format("the memory of the {} is {} USM, not {}; pass copy=True",
                            type_name(object.ptr()), name_of(there.usm_type()), name_of(type)));
  }
  const Queue target = queue.is_none() ? there.queue() : resolve_queue(queue);
  GilReleased release;
  Memory memory(target, there.bytes(), type, alignment);
  wait_for_foreign_commands(there.queue());
  const Event before[] = {there.queue().submit_barrier()};
  target.copy(memory.data(), there.data(), there.bytes(), before).wait();
  return memory;
}

}  // namespace

Memory memory_under(const UsmView& view) {
  const int64_t item = size_of(view.dtype);
  const Reach reach = *reach_of(view.shape, view.strides, item, item);  // as was checked
  return foreign_memory(view.queue, static_cast<char*>(view.data) + reach.low,
                        static_cast<size_t>(reach.high - reach.low), view.usm_type,
                        std::make_unique<ObjectOwner>(view.owner));
}

Memory allocate_memory(nb::handle bytes, size_t alignment, nb::handle queue, UsmType type,
                       bool copy) {
  if (alignment == 0) alignment = 64;
  if (offers(bytes, kUsmInterfaceName)) return adopted(bytes, alignment, queue, type, copy);
  int64_t size = 0;
  if (!nb::try_cast(bytes, size) || size < 0) {
    throw Error(ErrorKind::kValue, "nbytes",
                fmt::format("{} is not a number of bytes", nb::cast<std::string>(nb::repr(bytes))));
  }
  const Queue target = resolve_queue(queue);
  return unlocked([&] { return Memory(target, static_cast<size_t>(size), type, alignment); });
}

nb::object memory_object(const Memory& memory) {
  switch (memory.usm_type()) {
    case UsmType::kDevice:
      return nb::cast(MemoryUSMDevice{memory});
    case UsmType::kShared:
      return nb::cast(MemoryUSMShared{memory});
    case UsmType::kHost:
      return nb::cast(MemoryUSMHost{memory});
  }
  return nb::none();
}

}  // namespace hither::python
