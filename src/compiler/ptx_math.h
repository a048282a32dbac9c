// Mathematics in libdevice's words.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Replaces hither.math.* and `frem` by libdevice's functions, and those of LLVM's intrinsics that
/// its NVPTX code generator does not know by plain instructions. Throws Error kUnsupported naming
/// `kernel` for what is left: the code generator would end the process.
void lower_ptx_math(llvm::Module& module, const std::string& kernel);

}  // namespace hither::compiler
