// Strips of kernels whose items leave loops in different iterations.
#pragma once

#include <llvm/IR/Function.h>

#include "compiler/cpu/machine.h"

namespace hither::compiler {

/// Rewrites `f`, a function of one strip (group_kernel.h), so that all items run the same
/// iterations and those that have left a loop are masked (module/lockstep.h). Afterwards the strip
/// has uniform loops, whose items LLVM computes in vectors. Returns false, and changes nothing, if
/// `f` has no such loops, if LLVM could not vectorise them, or if vectors would not be faster by an
/// estimate from instructions and addresses alone.
bool mask_divergent_loops(llvm::Function& f, const CpuMachine& machine);

/// The items of one vector in such a strip.
int64_t lanes_of_masked_loops(const CpuMachine& machine);

}  // namespace hither::compiler
