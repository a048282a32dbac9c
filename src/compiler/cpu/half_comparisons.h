// Compares halves as floats.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// LLVM 19 exchanges the operands of AVX-512's comparison of halves (vcmpph) if it is masked and
/// loads one of them from the stack: -5 <= 0 becomes 0 <= -5. Comparisons of floats are right. This
/// pass is the last one, because InstCombine compares the halves themselves.
class CompareHalvesAsFloats : public llvm::PassInfoMixin<CompareHalvesAsFloats> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
