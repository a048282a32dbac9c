// Math functions at the machine's full vector width.
//
// The functions of SLEEF and libm differ in their last bits. A result must not depend on whether an
// element is computed in a vector body, a remainder loop or scalar code. Therefore each function
// has ONE variant for each type and machine: SLEEF's at the full width. The vectoriser is offered
// variants of every width. Afterwards each call is replaced by calls of the one variant: wide calls
// are split, and narrow and scalar calls are padded with copies of lane 0. tanh, erf, and erfc
// of floats are arithmetic in the place of each call instead (math_arithmetic.h).
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>

#include "compiler/module/math_functions.h"

namespace hither::compiler {

/// Names of the variants that the vectoriser may use, for the math functions that `module` calls.
/// Must outlive the optimiser's run.
class VectorVariants {
 public:
  explicit VectorVariants(const llvm::Module& module);
  void add_to(llvm::TargetLibraryInfoImpl& library) const {
    library.addVectorizableFunctions(descriptions_);
  }

 private:
  std::deque<std::string> names_;  // descriptions_ refers to them
  std::vector<llvm::VecDesc> descriptions_;
};

/// The name and the lanes of a function's only variant for this vector width, such as
/// "Sleef_finz_sind8_u10avx512f". Without a vector variant the name is libm's and the lanes are 0.
struct NativeVariant {
  std::string name;
  int lanes = 0;
};
NativeVariant native_variant(const MathFunction& function, char type, int vector_bits);

/// Packs square roots of independent scalars of a block into vectors, and quotients if one of their
/// operands is packed or the same. A vector takes as long as one or two scalars, and has the same
/// bits. For code whose scalars LLVM does not pack by itself.
void pack_roots(llvm::Function& f);

/// Replaces every `hither.math.*` call by calls of the native variant. `vector_bits` is the
/// machine's vector width.
void lower_vector_math(llvm::Module& module, int vector_bits);

}  // namespace hither::compiler
