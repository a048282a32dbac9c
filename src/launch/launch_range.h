// The range of a launch.
#pragma once

#include <span>
#include <string_view>

#include <hither/kernel.h>

#include "launch/argument.h"

namespace hither::launch {

/// The shape of the first array, as the range of a call without one. Error kValue when there is no
/// array, or when it has more than three dimensions.
NdRange range_of_arguments(std::string_view kernel, std::span<const Argument> arguments);

}  // namespace hither::launch
