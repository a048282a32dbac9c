// The entry of a SPIR-V kernel: its parameters, and where items find their place.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "target/kernel_module.h"

namespace hither::compiler {

/// What SPIR-V kernels add to a signature (target/code_image.h tells drivers).
struct SpirvEntry {
  llvm::Function* function = nullptr;
  int dimensions = 1;
  bool reports_errors = false;
};

/// Replaces the entry of `module` by one that a SPIR-V device starts: complex numbers come as
/// vectors of two, a pointer to the ErrorRecord last where the kernel raises. The words that ask
/// for a place, wait, and raise become OpenCL's functions; group functions stay. `in_groups`: items
/// that raise go no further, and their group stops where it meets next.
SpirvEntry make_spirv_entry(llvm::Module& module, const target::KernelModule& source,
                            bool in_groups);

}  // namespace hither::compiler
