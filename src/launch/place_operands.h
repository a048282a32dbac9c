// Placement of launches from C++.
#pragma once

#include <span>
#include <string>

#include <hither/array.h>

namespace hither::launch {

/// The queue that placement gives for these arguments of `kernel`; Error kPlacement.
Queue place_operands(const std::string& kernel, std::span<const Operand> arguments,
                     const Queue* queue);

}  // namespace hither::launch
