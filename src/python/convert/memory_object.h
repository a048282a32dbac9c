// Python objects of USM allocations.
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

/// The memory of another library's array, from its first byte to its last.
Memory memory_under(const UsmView& view);

/// The memory for MemoryUSMDevice(bytes, alignment=, queue=, copy=) and its siblings: a new
/// allocation, or that of an object with __sycl_usm_array_interface__, in place or copied. Error
/// kValue for other sizes and for memory that cannot be used in place.
Memory allocate_memory(nb::handle bytes, size_t alignment, nb::handle queue, UsmType type,
                       bool copy);

}  // namespace hither::python
