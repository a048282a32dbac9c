// The forms of reductions whose neighbouring items read what lies side by side.
#pragma once

#include "array/emit/reduce.h"

namespace hither::array {

/// Of a stage of form kSpreadRows or kOneColumn.
target::KernelModule emit_spread(const ReduceForm& form);

}  // namespace hither::array
