// Group functions on devices that take SPIR-V.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Replaces hither.group_* and hither.sub_group_* functions in `kernel` (everything inlined). Sums,
/// minima and maxima use OpenCL's functions; those of floats compare integers in the same order, so
/// that nan takes precedence. Other functions use shuffles within sub-groups and local memory
/// between them.
void lower_group_functions(llvm::Function& kernel);

}  // namespace hither::compiler
