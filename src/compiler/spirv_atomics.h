// Atomics that SPIR-V's kernels lack.
#pragma once

#include <string>

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Rewrites atomics of floats, and operations on integers that OpenCL has not, as loops around a
/// compare-exchange; plain atomic loads and stores of floats as those of integers. 8- and 16-bit
/// atomics are done on the 32 bits around them. Throws Error kUnsupported naming `kernel`.
void expand_atomics(llvm::Function& f, const std::string& kernel);

}  // namespace hither::compiler
