// What must hold before a kernel is submitted.
#pragma once

#include <cstddef>
#include <span>

#include <hither/kernel.h>

namespace hither::runtime {

struct QueueState;

/// Throws Error kValue (kUnsupported for what the device lacks), with nothing submitted. A few
/// nanoseconds for a kernel without groups.
void check_launch(const QueueState& queue, const Kernel& kernel, const NdRange& range,
                  std::span<const std::byte> arguments);

}  // namespace hither::runtime
