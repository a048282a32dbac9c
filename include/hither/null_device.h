// The recorded commands of the null device (HITHER_NULL_DEVICE=1), for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hither/export.h>
#include <hither/kernel.h>

namespace hither {

/// One command of a queue of the null device.
struct NullCommand {
  enum Kind : uint8_t { kLaunch, kCopy, kFill, kPrefetch, kHost, kBarrier } kind = kLaunch;
  uint64_t queue = 0;                ///< number of the queue, in the order of creation
  std::string kernel;                ///< of a launch
  NdRange range{Range(0)};           ///< of a launch
  std::vector<std::byte> arguments;  ///< of a launch, packed
  const void* to = nullptr;          ///< of copies, fills and prefetches
  const void* from = nullptr;        ///< of a copy
  size_t bytes = 0;
  size_t dependencies = 0;
};

/// The commands since the last clear, oldest first; the last 65536 are kept. The null device's
/// memory is real and its copies, fills and host tasks are executed; its kernels are only recorded.
/// Thread-safe.
HITHER_EXPORT std::vector<NullCommand> null_commands();
HITHER_EXPORT void clear_null_commands();

}  // namespace hither
