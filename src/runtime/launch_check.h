// The checks before the submission of a kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <hither/queue.h>

namespace hither::runtime {

struct DeviceFacts;
struct QueueState;

/// Throws Error kValue naming `kernel` unless the range has 1 to 3 dimensions, no negative size and
/// fewer than 2^63 work-items, and the local sizes are positive, divide the global sizes, and make
/// groups that the device supports.
void check_range(std::string_view kernel, const NdRange& range, const DeviceFacts& facts);

/// Throws Error kValue if the range of a kernel with groups has no local size.
void check_has_groups(std::string_view kernel, const NdRange& range);

/// Throws Error kValue, or kUnsupported if the device lacks a feature. It takes a few nanoseconds
/// for a kernel without groups.
void check_launch(const QueueState& queue, const Kernel& kernel, const NdRange& range,
                  std::span<const std::byte> arguments);

/// Queue::submit() without the checks, for kernels of hither's own array functions.
Event submit_unchecked(const Queue& queue, const Kernel& kernel, const NdRange& range,
                       std::span<const std::byte> arguments, std::span<const Event> depends_on);

}  // namespace hither::runtime
