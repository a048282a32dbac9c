// The memory of a device, as the pools of a context and the system report it, and its limit.
#pragma once

#include <cstddef>
#include <optional>

#include <hither/context.h>

namespace hither {

/// All numbers are bytes.
struct MemoryInfo {
  size_t used;                 ///< that live owners have from the pools of the context
  size_t cached;               ///< that the pools keep for reuse
  std::optional<size_t> free;  ///< that the system can still give, if it says so
  size_t peak;                 ///< the most that the pools have held at once, used and cached
  /// of set_memory_limit() or HITHER_MEMORY_LIMIT: the lowest of the context's devices, if any
  std::optional<size_t> limit;
};
/// Thread-safe; does not wait for work.
HITHER_EXPORT MemoryInfo memory_info(const Context& context);

/// Limits the bytes of all types of USM that this process uses of the device, all contexts and
/// sub-devices together; without `bytes`, ends the limit. An allocation beyond it is Error kMemory.
/// Cached memory is released before used and cached memory together exceed the limit. Thread-safe.
HITHER_EXPORT void set_memory_limit(const Device& device, std::optional<size_t> bytes);

}  // namespace hither
