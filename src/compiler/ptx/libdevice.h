// NVIDIA's bitcode library of mathematics.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"

namespace hither::compiler {

/// The file libdevice.10.bc: what HITHER_LIBDEVICE names, else in the toolkit that CUDA_HOME or
/// CUDA_PATH names, in PyPI's packages beside this library, or in /usr/local/cuda. Empty when it is
/// in none of them.
std::string find_libdevice();
/// What code made with it depends on, in one line.
std::string libdevice_identity();

/// Defines the __nv_* functions that `module` declares, as internal functions; reads nothing when
/// there are none. Throws Error kUnsupported where the library is not to be found.
void link_libdevice(llvm::Module& module, const std::string& kernel, Diagnostics& diagnostics);

}  // namespace hither::compiler
