// The entry of a precompiled kernel, which converts the packed arguments of a launch to the
// kernel's parameters.
#pragma once

#include <span>

#include "compiler/module/kernel_library.h"
#include "target/kernel_module.h"

namespace hither::launch {

/// A module whose entry takes what a launch packs for each parameter: a number, or an address
/// followed by `extents[i]` 64-bit integers, which the kernel does not receive. The entry's name is
/// the kernel's.
target::KernelModule library_module(const compiler::KernelLibrary& library,
                                    const compiler::LibraryKernel& kernel,
                                    std::span<const int> extents);

}  // namespace hither::launch
