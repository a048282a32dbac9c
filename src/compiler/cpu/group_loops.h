// Turns a kernel with work-groups into loops over the items of a group, between its barriers.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/cpu/work_item_loops.h"
#include "compiler/module/group_kernel.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Replaces the group kernel by a target::CpuEntry that runs the groups of a WorkRange. Uniform
/// control flow remains. The regions between it run in loops over the items, last dimension
/// innermost (see docs/design/0009-barriers.md). Throws Error kCompile for a barrier that some
/// items may not reach.
LoopedKernel group_loops(llvm::Module& module, const GroupKernel& group,
                         const target::KernelModule& source);

/// Only checks the group kernel, and throws the same errors.
void refuse_divergent_operations(const GroupKernel& group, const std::string& source_file);

/// The central part of group_loops: `group`'s function, without local memory, becomes a function
/// that runs all items of a group. `source_file` is for errors.
void run_all_items(const GroupKernel& group, const std::string& source_file);

}  // namespace hither::compiler
