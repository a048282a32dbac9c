// Which functions that a kernel module does not define it may call.
#pragma once

#include <string>

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Empty when kernels may call this declaration; else a sentence saying why not.
std::string why_not_callable(const llvm::Function& declaration);

}  // namespace hither::compiler
