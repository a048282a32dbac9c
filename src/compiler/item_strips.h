// Neighbouring items of a kernel without work-groups, run side by side.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

#include "compiler/cpu_machine.h"

namespace hither::compiler {

struct ItemStrip {
  llvm::Function* function = nullptr;  ///< null: items run one by one
  int64_t items = 1;
  bool by_rows = false;  ///< items read rows of their own: scalars that take turns, no vectors
};

/// A second form of a kernel whose items all go through the same loops: it runs a strip of items,
/// neighbours in dimension `dim`, turn by turn, so that what each of them carries from turn to turn
/// is computed in vectors. It takes the kernel's arguments, the ids of the first item, the global
/// sizes and the pointer to the ErrorRecord. Nothing is made where LLVM does as well with one item
/// at a time. Precondition: items are independent, the kernel does not raise.
ItemStrip make_item_strip(llvm::Function& kernel, int dim, const CpuMachine& machine);

}  // namespace hither::compiler
