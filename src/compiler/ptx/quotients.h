// Quotients and square roots of floats on CUDA devices.
#pragma once

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// The assembler computes a quotient or a square root of float32 by a short sequence if a test of
/// its operands succeeds, and by a function otherwise. Each has its own branch, across which it
/// moves nothing. Several of a block get one test here, and one branch. Results are the same bits.
/// Runs last.
void test_quotients_together(llvm::Module& module);

}  // namespace hither::compiler
