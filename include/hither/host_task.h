// Host code over arrays, ordered with the other work that reads and writes them.
#pragma once

#include <functional>
#include <span>

#include <hither/launch.h>

namespace hither {

enum class Access : uint8_t { kRead, kReadWrite };

/// An array that a task uses, and the kind of access.
struct ArrayUse {
  const Array* array;
  Access access = Access::kReadWrite;
};

/// Runs `work` on the host, on one of hither's threads or in this call, after all pending work on
/// its arrays. Later uses of the arrays run after it. `work` receives the addresses of their first
/// elements, in the order of `arrays`. An exception from `work` becomes the error of the event and
/// of the arrays that it writes. Waits only if one of the arrays has escaped. Thread-safe.
///
/// Errors, with nothing submitted: kPlacement, kValue for kReadWrite access to a read-only array,
/// kBuffer for memory that the host cannot access.
HITHER_EXPORT Event host_task(std::span<const ArrayUse> arrays,
                              std::function<void(std::span<void* const> data)> work,
                              const LaunchOptions& options = {});

}  // namespace hither
