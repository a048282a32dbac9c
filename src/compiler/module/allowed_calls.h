// The external functions that a kernel module may call.
#pragma once

#include <string>

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Empty if kernels may call this declaration, otherwise a sentence with the reason.
std::string why_not_callable(const llvm::Function& declaration);

}  // namespace hither::compiler
