// Strips: neighbouring items of a kernel without work-groups that run interleaved.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

#include "compiler/cpu/machine.h"

namespace hither::compiler {

struct ItemStrip {
  llvm::Function* function = nullptr;  ///< null: items run one at a time
  int64_t items = 1;
  /// Each item reads a row of its own. The items are unrolled as interleaved scalars, not
  /// vectorised, and are `item_distance` items apart.
  bool by_rows = false;
};

/// Makes a second form of a kernel with uniform loops. It runs a strip of items of dimension `dim`
/// in each iteration of these loops, so that the loops' phis become vectors. The items are
/// neighbours, or with by_rows `item_distance` items apart. Its parameters are the kernel's
/// arguments, the ids of the first item, the global sizes, the pointer to the ErrorRecord and
/// `item_distance`. The result is empty if LLVM's code for single items is as fast. Requires that
/// items are independent and that the kernel does not raise.
ItemStrip make_item_strip(llvm::Function& kernel, int dim, const CpuMachine& machine);

}  // namespace hither::compiler
