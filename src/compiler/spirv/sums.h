// Keeps floating-point sums in their order.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Rewrites the floating-point sums and products that loops of `kernel` carry between iterations as
/// `fma` with a factor 1 (an addend -0.0) that only the device knows. The bits and the speed are
/// the same. Otherwise Intel's compiler for CPUs vectorises loops of plain additions into partial
/// sums, in the items of a group that do not fill a vector, whatever SPIR-V says about contraction
/// and fast math. The sum of an item would then depend on the number of its neighbours.
void keep_sums_in_order(llvm::Function& kernel);

}  // namespace hither::compiler
