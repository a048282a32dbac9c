// NVIDIA's bitcode library of mathematical functions.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"

namespace hither::compiler {

/// The path of libdevice.10.bc. It is searched in this order: HITHER_LIBDEVICE, the toolkit at
/// CUDA_HOME or CUDA_PATH, PyPI's packages next to this library, /usr/local/cuda. Empty if it is
/// not found.
std::string find_libdevice();
/// Identifies the file that code depends on, in one line.
std::string libdevice_identity();

/// Whether it is one of libdevice's functions, by its name.
inline bool is_libdevice(const llvm::Function& f) { return f.getName().starts_with("__nv_"); }

/// Defines the __nv_* functions that `module` declares as internal functions. Does not read the
/// file if there are none. Throws Error kUnsupported if the library is not found.
void link_libdevice(llvm::Module& module, const std::string& kernel, Diagnostics& diagnostics);

}  // namespace hither::compiler
