// Mathematical functions on CUDA devices.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"
#include "compiler/module/math_functions.h"

namespace hither::compiler {

/// Whether the function is so short that most kernels which call it are bound by memory: float32
/// functions, and those of the device library's tables.
bool is_short(const MathCall& call) noexcept;

/// Makes calls of the device library's functions calls of libdevice's, where those are as accurate
/// and shorter. Before the device library is linked.
void call_libdevice(llvm::Module& module);

/// Inlines the device library's table functions (device_library/table_math.cpp) into the kernel.
/// Their tables are constants in generic memory.
void inline_table_math(llvm::Module& module, const std::string& kernel, Diagnostics& diagnostics);

/// Replaces hither.math.* and `frem` by libdevice's functions, and LLVM intrinsics that the NVPTX
/// code generator lacks by plain instructions. Throws Error kUnsupported naming `kernel` for the
/// rest, because the code generator would end the process.
void lower_ptx_math(llvm::Module& module, const std::string& kernel);

}  // namespace hither::compiler
