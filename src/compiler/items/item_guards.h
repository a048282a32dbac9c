// Guards at the start of a kernel: `if i >= n: return`.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// `id < bound` or `id >= bound`, for the id of one dimension.
struct ItemGuard {
  int dim;
  bool is_lower;          ///< id >= bound
  llvm::Function* bound;  ///< computes the bound, an i64, from the kernel's arguments
};

/// Finds guards that compare a global id with arguments and constants: items that fail one return
/// without any effect. Removes their comparisons from the kernel, which then must only run for
/// items that pass all guards. Other guards remain in the kernel.
llvm::SmallVector<ItemGuard, 4> take_guards(llvm::Function& kernel);

}  // namespace hither::compiler
