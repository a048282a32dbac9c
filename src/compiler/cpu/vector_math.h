// Math functions at the machine's full vector width.
//
// libmvec's functions and libm's differ in their last bits, and so do libmvec's widths. A result
// must not depend on whether an element fell into a vector body, a remainder or a scalar loop, so
// each function has ONE variant per type and machine: libmvec's at the full width. The vectoriser
// is told of variants at every width; afterwards each call becomes calls of the one that exists,
// wide ones split, narrow and scalar ones padded with copies of lane 0.
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
  std::deque<std::string> names_;  // descriptions_ only refers to them
  std::vector<llvm::VecDesc> descriptions_;
};

/// Name of the one variant of a function on a machine of this vector width, "_ZGVeN8v_sin", and its
/// lanes; lanes 0 and libm's name where there is no vector variant.
struct NativeVariant {
  std::string name;
  int lanes = 0;
};
NativeVariant native_variant(const MathFunction& function, char type, int vector_bits);

/// Replaces every `hither.math.*` call by calls of the native variant. `vector_bits` is the
/// machine's.
void lower_vector_math(llvm::Module& module, int vector_bits);

}  // namespace hither::compiler
