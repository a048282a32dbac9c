// Which LLVM passes run, and when.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/cpu/machine.h"

namespace hither::compiler {

/// After inlining, before the work-item loops: variables to registers, constants folded, generic
/// pointers traced back to the address space they came from. Light, so that code is not yet
/// distorted.
void simplify(llvm::Module& module, const CpuMachine& machine);

/// The same for a kernel of work-groups, always; loops are brought into the form that test their
/// condition at their end, so that what an iteration does is in one piece.
void simplify_group(llvm::Function& kernel, const CpuMachine& machine);

/// Loops of a few turns, as integer powers are, become straight code, and what does not change from
/// turn to turn leaves the others.
void simplify_loops(llvm::Function& kernel, const CpuMachine& machine);

/// True when simplify() has something to do: code of a front end that keeps variables in memory.
bool needs_simplifying(const llvm::Module& module);

/// Vectorises at the machine's full width, `straight_code` as well as loops, and does everything
/// else at -O3, then gives math functions their native variants.
void optimise(llvm::Module& module, const CpuMachine& machine, bool straight_code);

}  // namespace hither::compiler
