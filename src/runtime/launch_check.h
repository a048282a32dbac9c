// What must hold before a kernel is submitted.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <hither/kernel.h>

namespace hither::runtime {

struct DeviceFacts;
struct QueueState;

/// Refuses ranges of another number of dimensions than 1 to 3, negative ones and more than 2^63
/// work-items; local sizes that are not positive, do not divide the global ones, or make groups
/// larger than the device's: Error kValue naming `kernel`.
void check_range(std::string_view kernel, const NdRange& range, const DeviceFacts& facts);

/// Refuses a range without a local size, for a kernel that needs groups: Error kValue.
void check_has_groups(std::string_view kernel, const NdRange& range);

/// Throws Error kValue (kUnsupported for what the device lacks), with nothing submitted. A few
/// nanoseconds for a kernel without groups.
void check_launch(const QueueState& queue, const Kernel& kernel, const NdRange& range,
                  std::span<const std::byte> arguments);

}  // namespace hither::runtime
