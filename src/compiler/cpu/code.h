// Machine code for CPUs.
#pragma once

#include "compiler/module/code_target.h"

namespace hither::compiler {

extern const CodeTarget kCpuTarget;

/// Parses, links and verifies `source` and generates no code. Throws Error kCompile.
void verify_for_cpu(const target::KernelModule& source);
/// Throws Error kCompile for a barrier or group function that some items of a group of `source` may
/// not reach. Other targets need this check too, because such a kernel deadlocks a GPU.
void refuse_divergent_barriers(const target::KernelModule& source);

}  // namespace hither::compiler
