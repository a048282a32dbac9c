// Host code over arrays, in the order of what else reads and writes them.
#pragma once

#include <functional>
#include <span>

#include <hither/launch.h>

namespace hither {

enum class Access : uint8_t { kRead, kReadWrite };

/// An array that a task uses, and how.
struct ArrayUse {
  const Array* array;
  Access access = Access::kReadWrite;
};

/// Runs `work` on the host, on a thread of hither's or in this call, after everything that is
/// pending for its arrays; what uses them later runs after it. It gets the addresses of their first
/// elements, in the order of `arrays`. What it throws is the event's error, and that of the arrays
/// it writes. Waits only where one of them has escaped. Thread-safe.
///
/// Errors, with nothing submitted: kPlacement, kValue for a read-only array that is to be written,
/// kBuffer for memory that the host cannot reach.
HITHER_EXPORT Event host_task(std::span<const ArrayUse> arrays,
                              std::function<void(std::span<void* const> data)> work,
                              const LaunchOptions& options = {});

}  // namespace hither
