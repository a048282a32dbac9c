// Group functions on CUDA devices.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Replaces hither.group_* and hither.sub_group_* functions in `kernel`, everything inlined: votes
/// by the hardware's own, the rest by shuffles in the warps, and local memory between them.
void lower_ptx_group_functions(llvm::Function& kernel);

}  // namespace hither::compiler
