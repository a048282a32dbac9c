// Replaces atomics that a device lacks.
#pragma once

#include <string>

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// The atomics of 32 and 64 bits that a device supports directly.
enum class Atomics {
  kIntegers,        ///< OpenCL's operations on integers
  kIntegersAndSums  ///< and floating-point sums
};

/// Rewrites atomics that are not `native` as loops around a compare-exchange, and atomic loads and
/// stores of floats as those of integers. 8- and 16-bit atomics operate on the 32 bits that contain
/// them. Throws Error kUnsupported naming `kernel`.
void expand_atomics(llvm::Function& f, const std::string& kernel, Atomics native);

}  // namespace hither::compiler
