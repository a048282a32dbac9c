// Sums that stay in the order in which kernels add.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// The sums and products of floats that loops of `kernel` carry from turn to turn, as `fma` with a
/// one (a negative zero) that only the device knows: the same bits, as fast. Intel's compiler for
/// CPUs makes vectors of partial sums from loops of plain additions, in those items of a group
/// that fill no vector, whatever SPIR-V says of contraction and fast mathematics; so an item's sum
/// would depend on how many neighbours it has.
void keep_sums_in_order(llvm::Function& kernel);

}  // namespace hither::compiler
