// Messages for the errors that kernels report.
#pragma once

#include <hither/error.h>

#include "runtime/kernel_state.h"

namespace hither::runtime {

/// The error of a launch over `range` whose kernel wrote `record`: Error kKernel, which names the
/// source line and the work-item.
HITHER_EXPORT Error kernel_error(const KernelState& kernel, const NdRange& range,
                                 const target::ErrorRecord& record);

}  // namespace hither::runtime
