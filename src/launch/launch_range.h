// The range of a launch.
#pragma once

#include <span>
#include <string_view>

#include <hither/device.h>
#include <hither/kernel.h>

#include "launch/argument.h"

namespace hither::launch {

/// The shape of the first array, for a call that gives no range. Error kValue when there is no
/// array, or when it has more than three dimensions.
NdRange range_of_arguments(std::string_view kernel, std::span<const Argument> arguments);

/// Refuses negative extents, local sizes that are not positive or do not divide the global ones,
/// and groups larger than the device's: Error kValue, with the numbers. Local sizes are all 0 when
/// the device chooses them.
void check_range(std::string_view kernel, const NdRange& range, const Device& device);

/// Refuses a range without a local size, for a kernel that needs groups: Error kValue.
void check_has_groups(std::string_view kernel, const NdRange& range);

}  // namespace hither::launch
