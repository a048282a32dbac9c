// erf, and erfc of floats, as arithmetic, which takes a fraction of the time of SLEEF's.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Replaces each call of `f`, which is erf of floats, doubles or vectors of them, by arithmetic in
/// its place. A lane's operations are the same at every width. The error is below 1 ulp. `fused`:
/// the machine has fused multiply-add; those without compute other bits.
void expand_erf(llvm::Function& f, bool fused);

/// The same for erfc of floats or vectors of them, which is computed in double.
void expand_float_erfc(llvm::Function& f, bool fused);

}  // namespace hither::compiler
