// Python's view of an allocation.
#pragma once

#include <hither/memory.h>

#include "python/convert/usm_interface.h"
#include "python/interpreter/nanobind.h"

namespace hither::python {

struct MemoryUSMDevice : Memory {
  static constexpr UsmType kType = UsmType::kDevice;
};
struct MemoryUSMShared : Memory {
  static constexpr UsmType kType = UsmType::kShared;
};
struct MemoryUSMHost : Memory {
  static constexpr UsmType kType = UsmType::kHost;
};

/// A MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost that shares `memory`.
nb::object memory_object(const Memory& memory);

/// What an array of someone else lies in, from its first byte to its last one.
Memory memory_under(const UsmView& view);

/// What MemoryUSMDevice(bytes, alignment=, queue=, copy=) and its like make: new memory, or that of
/// an object with __sycl_usm_array_interface__, in place or a copy of it. Errors kValue.
Memory allocate_memory(nb::handle bytes, size_t alignment, nb::handle queue, UsmType type,
                       bool copy);

}  // namespace hither::python
