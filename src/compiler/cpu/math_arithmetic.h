// Mathematical functions as arithmetic, which takes a fraction of the time of calls of SLEEF.
#pragma once

#include "compiler/module/math_functions.h"

namespace hither::compiler {

/// Replaces each call of `f` by arithmetic in its place, if `call`, which describes `f`, is tanh,
/// erf, or erfc of floats. A lane's operations are the same at every width. Errors are below 1 ulp.
/// `fused`: the machine has fused multiply-add; those without compute other bits.
void expand_math(llvm::Function& f, const MathCall& call, bool fused);

}  // namespace hither::compiler
