// Mathematical and bit operations by OpenCL's functions.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Replaces hither.math.* and LLVM's intrinsics, all of them scalar, by OpenCL functions with the
/// same meaning (never native_ or half_ ones), or by plain instructions. The rules of LLVM's
/// intrinsics for nan, signed zeros and overflow hold. Throws Error kUnsupported naming `kernel`
/// for the rest.
void lower_math(llvm::Module& module, const std::string& kernel);

}  // namespace hither::compiler
