// Group functions on devices that take SPIR-V.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Replaces hither.group_* and hither.sub_group_* functions in `kernel`, everything inlined: sums
/// and extremes by OpenCL's own functions (extremes of floats as integers in the same order, so
/// that nan wins); the rest by shuffles in the sub-groups, and local memory between them.
void lower_group_functions(llvm::Function& kernel);

}  // namespace hither::compiler
