// Mathematics in libdevice's words.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"
#include "compiler/module/math_functions.h"

namespace hither::compiler {

/// Whether it is so short that memory, not arithmetic, is what most kernels that call it wait for:
/// those of float32, and the tables'.
bool is_short(const MathCall& call) noexcept;

/// Inlines the device library's functions by tables (device_library/table_math.cpp) where the
/// kernel calls them. Their tables are constants in generic memory.
void inline_table_math(llvm::Module& module, const std::string& kernel, Diagnostics& diagnostics);

/// Replaces hither.math.* and `frem` by libdevice's functions, and those of LLVM's intrinsics that
/// its NVPTX code generator does not know by plain instructions. Throws Error kUnsupported naming
/// `kernel` for what is left: the code generator would end the process.
void lower_ptx_math(llvm::Module& module, const std::string& kernel);

}  // namespace hither::compiler
