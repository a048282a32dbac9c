// Fast float16 mathematics on CUDA devices.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Shortens operations whose results are rounded to float16 and therefore need less than float32's
/// precision. A quotient takes five instructions and the divisor's reciprocal, which is computed
/// once for a shared divisor; its result is correctly rounded. exp takes three instructions and has
/// an error of at most 0.503 ulp. Requires normalised math names and scalars.
void shorten_math_of_halves(llvm::Function& kernel);

}  // namespace hither::compiler
