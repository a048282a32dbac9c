// Loops over work-items that call mathematical functions are vectorised, whatever LLVM thinks of
// it.
#pragma once

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Asks for the width of the machine's variants in innermost loops whose items all call one: a
/// single element costs as much there as a whole vector, which LLVM does not know, so it would
/// rather not gather a strided argument. Precondition: the loops of `module` are loops over
/// work-items only, because the wish also lets LLVM reorder sums of floating point.
void ask_for_wide_loops(llvm::Module& module, int vector_bits);

}  // namespace hither::compiler
