// The forms of reductions whose neighbouring items read what lies side by side.
#pragma once

#include "array/emit_reduce.h"

namespace hither::array {

/// Of a stage of form kSpreadRows or kOneColumn.
target::KernelModule emit_spread(const ReduceKernel& kernel);

}  // namespace hither::array
