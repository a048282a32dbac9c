// The entry of a kernel that was compiled beforehand: what a launch passes, to what its author
// took.
#pragma once

#include <span>

#include "compiler/module/kernel_library.h"
#include "target/kernel_module.h"

namespace hither::launch {

/// A module whose entry takes, for each parameter, what the launch packs: an address and, behind
/// it, `extents[i]` 64-bit integers that the kernel does not ask for; or the number. The kernel's
/// name is the entry's.
target::KernelModule library_module(const compiler::KernelLibrary& library,
                                    const compiler::LibraryKernel& kernel,
                                    std::span<const int> extents);

}  // namespace hither::launch
