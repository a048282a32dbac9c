// Items that return early walk on to where the others of their group meet.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/module/uniformity.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// An early return that not all items of a group take becomes a flag: whoever has it set goes past
/// everything but later barriers and group functions, to which it gives the neutral element, and
/// the tests by which the whole group goes on. Where nothing returns so, `module` (linked,
/// everything inlined) stays as it is. Throws Error kCompile, with the user's line if it is known,
/// where a meeting is one that remaining items may miss.
void convert_early_returns(llvm::Module& module, const target::KernelModule& source,
                           const LocalSize& local_size);

}  // namespace hither::compiler
