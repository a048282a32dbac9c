// Forces the vectorisation of work-item loops that call mathematical functions.
#pragma once

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Requests the vector width of the machine's variants for innermost loops in which every iteration
/// calls one. There a single element costs as much as a whole vector. LLVM's cost model does not
/// know this, so it would avoid gathering a strided argument. Requires that all loops of `module`
/// are work-item loops, because the request also permits LLVM to reorder floating-point sums.
void ask_for_wide_loops(llvm::Module& module, int vector_bits);

}  // namespace hither::compiler
