// Bitwise complements of integers.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Writes ~x, for integers of 32 and 64 bits, as x ^ ones, where no compiler knows `ones`.
/// Otherwise Intel's compiler for CPUs computes max(y, z) + x for max(y, z) + ~x with AVX-512, in
/// the items of a group that do not fill a vector. LLVM makes complements of (y - x) * x - x too.
void hide_complements(llvm::Function& kernel);

}  // namespace hither::compiler
