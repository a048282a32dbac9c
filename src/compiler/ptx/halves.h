// Mathematics of float16 on CUDA devices.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// What is rounded to float16 is not computed as exactly as a float: a quotient takes five
/// instructions and the divisor's reciprocal, which is found once where it is the same, and is the
/// nearest one; exp takes three and is at most 0.503 units off. Mathematics has our spelling and
/// vectors are scalars.
void shorten_math_of_halves(llvm::Function& kernel);

}  // namespace hither::compiler
