// Calls of OpenCL's builtin functions by their mangled names.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {

/// The mangled name, for example _Z3sind for `sin` of a double. Integers are unsigned unless
/// `is_signed`.
std::string mangled(llvm::StringRef name, llvm::ArrayRef<llvm::Type*> types,
                    bool is_signed = false);

enum class Effect { kNone, kConvergent };

/// Emits a call of the builtin `name`.
llvm::CallInst* call_builtin(llvm::IRBuilder<>& b, llvm::StringRef name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> arguments, Effect effect = Effect::kNone,
                             bool is_signed = false);

}  // namespace hither::compiler
