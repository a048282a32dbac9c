// OpenCL's built-in functions, by the mangled names that SPIR-V code generators know.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {

/// `sin` of a double is _Z3sind. Integers count as unsigned unless `is_signed`.
std::string mangled(llvm::StringRef name, llvm::ArrayRef<llvm::Type*> types,
                    bool is_signed = false);

enum class Effect { kNone, kConvergent };

/// A call of OpenCL's `name`.
llvm::CallInst* call_builtin(llvm::IRBuilder<>& b, llvm::StringRef name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> arguments, Effect effect = Effect::kNone,
                             bool is_signed = false);

}  // namespace hither::compiler
