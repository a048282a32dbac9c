// The mathematical functions that a kernel may call by name, and the names that they go by.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {

/// A function without one exact result: the machine's variant of it must be the same wherever it is
/// called (see vector_math.h).
struct MathFunction {
  const char* name;  ///< libm's double name; the float one has an f behind it
  int arity;
  llvm::Intrinsic::ID intrinsic;  ///< not_intrinsic where LLVM has none
};

std::span<const MathFunction> math_functions() noexcept;

/// A math function at one type: `lanes` is 0 for a scalar.
struct MathCall {
  const MathFunction* function;
  char type;  ///< 'h', 's' or 'd': float16, float32, float64
  int lanes;
  bool operator==(const MathCall&) const = default;
};

/// What a declaration stands for: `llvm.sin.v8f64`, `sin`, `sinf`, or our own spelling
/// `hither.math.sin.f64` / `hither.math.sin.v8f64`, which exists for every function of the table.
/// Nothing when it is none of them or its type is not the function's.
std::optional<MathCall> math_call(const llvm::Function& declaration);

/// `hither.math.sin.v8f64`, declared in `module` as a pure function that LLVM knows nothing about.
llvm::Function* declare_math(llvm::Module& module, const MathCall& call);

/// libm's frexp and modf, which store through pointers, become the device library's.
void rename_libm_calls(llvm::Module& module);

/// Rewrites every call of a math function to our spelling (float16 through float32), and
/// libm's names of exact functions (floor, sqrt, fma, ...) to LLVM's intrinsics. After it, LLVM
/// neither folds nor rewrites math: the result of sin(x) never depends on what the optimiser saw.
void normalise_math(llvm::Module& module);

/// True for names of libm that normalise_math turns into something else.
bool is_known_libm_name(const llvm::Function& declaration);

}  // namespace hither::compiler
