// Emits the forms of reductions in which consecutive items read consecutive memory.
#pragma once

#include "array/emit/reduce.h"

namespace hither::array {

/// For a stage of form kSpreadRows, kOneColumn or kGathered.
target::KernelModule emit_spread(const ReduceForm& form);

}  // namespace hither::array
