// Neighbouring items of a kernel without work-groups, run side by side.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

#include "compiler/cpu/machine.h"

namespace hither::compiler {

struct ItemStrip {
  llvm::Function* function = nullptr;  ///< null: items run one by one
  int64_t items = 1;
  /// Items read rows of their own: scalars that take turns, no vectors, and no neighbours.
  bool by_rows = false;
};

/// A second form of a kernel whose items all go through the same loops: it runs a strip of items,
/// neighbours in dimension `dim` or, by rows, `apart`, turn by turn, so that what each of them
/// carries from turn to turn is computed in vectors. It takes the kernel's arguments, the ids of
/// the first item, the global sizes, the pointer to the ErrorRecord and `apart`. Nothing is made
/// where LLVM does as well with one item at a time. Precondition: items are independent, the kernel
/// does not raise.
ItemStrip make_item_strip(llvm::Function& kernel, int dim, const CpuMachine& machine);

}  // namespace hither::compiler
