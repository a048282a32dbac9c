// Keeps the zeros of private arrays.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Makes the zero that fills a private array a value that no compiler knows, and that may differ
/// between the items of a group. Otherwise Intel's compiler for CPUs loses the fill where all
/// stores to the array are the same for all items: the array keeps what its memory held before.
void hide_zero_fills(llvm::Function& kernel);

}  // namespace hither::compiler
