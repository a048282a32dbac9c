// Atomics that devices lack.
#pragma once

#include <string>

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// What a device does without a loop, on 32 and 64 bits.
enum class Atomics {
  kIntegers,        ///< the operations on integers that OpenCL has
  kIntegersAndSums  ///< sums of floats too
};

/// Rewrites atomics that are not `native` as loops around a compare-exchange; plain atomic loads
/// and stores of floats as those of integers. 8- and 16-bit atomics are done on the 32 bits around
/// them. Throws Error kUnsupported naming `kernel`.
void expand_atomics(llvm::Function& f, const std::string& kernel, Atomics native);

}  // namespace hither::compiler
