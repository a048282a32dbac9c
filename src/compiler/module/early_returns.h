// Conversion of early returns to flags, so that all items of a group reach its convergent
// operations.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/module/uniformity.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Replaces each early return that is divergent in its group by a flag. An item whose flag is set
/// skips all code except later convergent operations, to which it passes the neutral element, and
/// uniform branches. A `module` (linked and inlined) without such returns is not changed. Throws
/// Error kCompile, with the user's line if it is known, for a convergent operation that remaining
/// items may not reach.
void convert_early_returns(llvm::Module& module, const target::KernelModule& source,
                           const LocalSize& local_size);

}  // namespace hither::compiler
