// The mathematical functions that a kernel may call, and their names.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {

/// A function whose results are not correctly rounded. Its variant for a machine must be the same
/// at every call (see cpu/vector_math.h).
struct MathFunction {
  const char* name;  ///< libm's double name; the float one has the suffix f
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

/// The math function that a declaration names: `llvm.sin.v8f64`, `sin`, `sinf`, or the normalised
/// names `hither.math.sin.f64` and `hither.math.sin.v8f64`, which exist for every function of the
/// table. Empty for other names, and if the type does not fit.
std::optional<MathCall> math_call(const llvm::Function& declaration);

/// Declares `hither.math.sin.v8f64` in `module` as a pure function that LLVM does not know.
llvm::Function* declare_math(llvm::Module& module, const MathCall& call);

/// Replaces the calls of `f`, which math_call() describes as `call`: they are computed in the wider
/// type ('s' or 'd') and rounded once. `f` is unused afterwards.
void call_through(llvm::Function& f, const MathCall& call, char wider);

/// Replaces libm's frexp and modf, which store through pointers, by the device library's.
void rename_libm_calls(llvm::Module& module);

/// Replaces every call of a math function by a call of its normalised name (float16 by way of
/// float32), and libm's exact functions (floor, sqrt, fma, ...) by LLVM's intrinsics. Afterwards
/// LLVM neither folds nor rewrites math calls, so the result of sin(x) never depends on the
/// optimiser.
void normalise_math(llvm::Module& module);

/// True for names of libm that normalise_math replaces by LLVM's intrinsics.
bool is_known_libm_name(const llvm::Function& declaration);

}  // namespace hither::compiler
