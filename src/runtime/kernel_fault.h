// What a kernel reported, in words.
#pragma once

#include <hither/error.h>

#include "runtime/kernel_state.h"

namespace hither::runtime {

/// The error of a launch over `range` whose kernel filled in `record`: Error kKernel with the place
/// in the source and the work-item.
HITHER_EXPORT Error kernel_error(const KernelState& kernel, const NdRange& range,
                                 const target::ErrorRecord& record);

}  // namespace hither::runtime
