// Loops that items leave in different iterations, in vectors.
#pragma once

#include <cstdint>

#include "compiler/cpu/machine.h"
#include "compiler/module/group_kernel.h"

namespace hither::compiler {

/// Rewrites the loops without barriers that items of the group leave in different iterations: all
/// items run the same iterations, and those that have left a loop are masked (items/lockstep.h).
/// Atomics that update local memory, in an order that no item can see, follow item by item.
/// Afterwards these loops are uniform, and LLVM computes their items in vectors. Changes nothing if
/// there are no such loops, if LLVM could not vectorise one of them, or if vectors would not be
/// faster by an estimate from instructions and addresses alone. Returns the items that a vector
/// should hold, 0 if no loops were rewritten.
int64_t mask_divergent_loops(const GroupKernel& group, const CpuMachine& machine);

}  // namespace hither::compiler
