// Mathematics and bit operations in OpenCL's words.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Replaces hither.math.* and LLVM's intrinsics, all of scalars, by OpenCL's functions of the same
/// meaning (never native_ or half_ ones), or by plain instructions where it has none. What LLVM's
/// intrinsics say about nan, signed zeros and overflow holds. Throws Error kUnsupported naming
/// `kernel` for what is left.
void lower_math(llvm::Module& module, const std::string& kernel);

}  // namespace hither::compiler
