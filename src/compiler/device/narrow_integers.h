// Computes 64-bit integers in 32 bits where the results are the same.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Numba computes with integers in 64 bits: `uint32 ^ (uint32 << 13)` and counters too. GPUs need
/// several instructions for those, and slow ones for conversions to floating point. This pass
/// computes in 32 bits what only the low 32 bits are used of, and converts and compares numbers
/// that are known to fit in 32 bits as such. LLVM's pipeline has to clean up after it.
struct NarrowIntegers : llvm::PassInfoMixin<NarrowIntegers> {
  static llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
