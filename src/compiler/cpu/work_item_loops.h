// A kernel without barriers becomes a loop over its work-items.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/cpu/machine.h"
#include "target/kernel_module.h"

namespace hither::compiler {

struct LoopedKernel {
  llvm::Function* entry = nullptr;  ///< the target::CpuEntry
  int dimensions = 1;               ///< highest dimension that the kernel asks about
  bool reports_errors = false;
  bool parallel = false;    ///< its global accesses are marked as independent
  int64_t local_bytes = 0;  ///< static local memory
  int64_t strip_items = 1;  ///< so many items of the last dimension run side by side
  bool gathers = false;     ///< straight code would be gathered into vectors, which takes longer
};

/// Replaces the entry of `module` (everything inlined) by a target::CpuEntry that runs it for each
/// item of a WorkRange, last dimension innermost. Dimensions that the kernel does not query about
/// are looped over outside: each of their items runs too. Ids become induction variables. Where no
/// item can see another's stores (no atomics, no error reports) accesses to global memory are
/// marked as independent between iterations, private arrays never. Items that have loops may run in
/// strips (item_strips.h). Precondition: no barriers, no local memory.
LoopedKernel work_item_loops(llvm::Module& module, const target::KernelModule& source,
                             const CpuMachine& machine);

}  // namespace hither::compiler
