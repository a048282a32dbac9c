// Group functions on CUDA devices.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Replaces hither.group_* and hither.sub_group_* functions in `kernel` (everything inlined). Votes
/// use the hardware's votes. Other functions use shuffles within warps and local memory between
/// them.
/// `items` is that of PtxBuiltins.
void lower_ptx_group_functions(llvm::Function& kernel, int64_t items);

}  // namespace hither::compiler
