// The pipelines of LLVM passes for CPU code.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/cpu/machine.h"

namespace hither::compiler {

/// Runs after inlining and before the work-item loops exist. Promotes variables to registers, folds
/// constants and infers address spaces. Heavier passes would change the code's structure too early.
void simplify(llvm::Module& module, const CpuMachine& machine);

/// The same for a group kernel, without a check whether it is necessary. Loops are rotated, so that
/// an iteration begins and ends in one region.
void simplify_group(llvm::Function& kernel, const CpuMachine& machine);

/// Removes branches whose conditions have become constants.
void simplify_branches(llvm::Function& kernel, const CpuMachine& machine);

/// Unrolls loops of a few iterations, such as integer powers, and moves invariant code out of other
/// loops.
void simplify_loops(llvm::Function& kernel, const CpuMachine& machine);

/// Whether simplify() is necessary, because the front end keeps variables in memory.
bool needs_simplifying(const llvm::Module& module);

/// Runs LLVM's -O3 with vectors of the machine's full width, in loops and also in `straight_code`.
/// Then replaces math functions by their native variants.
void optimise(llvm::Module& module, const CpuMachine& machine, bool straight_code);

}  // namespace hither::compiler
