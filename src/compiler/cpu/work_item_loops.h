// Turns a kernel without barriers into loops over its work-items.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/cpu/machine.h"
#include "target/kernel_module.h"

namespace hither::compiler {

struct LoopedKernel {
  llvm::Function* entry = nullptr;  ///< the target::CpuEntry
  int dimensions = 1;               ///< number of dimensions that the kernel queries
  bool reports_errors = false;
  bool parallel = false;    ///< its global accesses are marked as independent
  int64_t local_bytes = 0;  ///< static local memory
  int64_t strip_items = 1;  ///< items of a strip in the last dimension; 1: no strips
  bool gathers = false;     ///< vectorised straight code would use gathers, which are slower
};

/// Replaces the entry of `module` (everything inlined) by a target::CpuEntry that runs it for each
/// item of a WorkRange, last dimension innermost. Ids become induction variables. Dimensions that
/// the kernel does not query become outer loops, because their items run too. If no item can see
/// another's stores (no atomics, no error reports), accesses to global memory are marked as
/// independent between iterations; accesses to private arrays never are. Items with loops may run
/// in strips (item_strips.h). Requires that the kernel has no barriers and no local memory.
LoopedKernel work_item_loops(llvm::Module& module, const target::KernelModule& source,
                             const CpuMachine& machine);

}  // namespace hither::compiler
