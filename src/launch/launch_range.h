// The range of a launch.
#pragma once

#include <span>
#include <string_view>

#include <hither/kernel.h>

#include "launch/argument.h"

namespace hither::launch {

/// The shape of the first array, for a call that gives no range. Error kValue when there is no
/// array, or when it has more than three dimensions.
NdRange range_of_arguments(std::string_view kernel, std::span<const Argument> arguments);

/// Refuses negative extents, and local sizes that are not positive or do not divide the global
/// ones: Error kValue. Local sizes are all 0 when the device chooses them.
void check_range(std::string_view kernel, const NdRange& range);

}  // namespace hither::launch
