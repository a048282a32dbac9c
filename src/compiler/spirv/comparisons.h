// Comparisons with negated values.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Writes a comparison with -x as one with 0 - x, which has the same result for all values, also
/// for zeros and NaNs. Otherwise Intel's compiler for CPUs takes the result of `u > -x` for uniform
/// if u is uniform, x is not, and the result is used after a barrier.
void compare_without_negations(llvm::Function& kernel);

}  // namespace hither::compiler
