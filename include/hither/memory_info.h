// The memory of a device, as the pools of a context and the system report it.
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
};
/// Thread-safe; does not wait for work.
HITHER_EXPORT MemoryInfo memory_info(const Context& context);

}  // namespace hither
