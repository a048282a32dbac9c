// Runs the iterations of a loop whose checks all succeed in a loop without these checks.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// In `if 0 < i < n - 1 and 0 < j < m - 1: y[i, j] = ...` the checks of the innermost loop compare
/// its index with numbers that do not change in the loop. Vectorised as it is, each iteration
/// computes masks, and stores with them, which many CPUs do slowly. This pass splits such innermost
/// loops into three parts: the iterations before those that need no check, these, and the rest.
/// Only the middle part loses its checks, including those that do not depend on the index: where
/// one of them fails, it has no iterations. The results are the same.
class SplitAtChecks : public llvm::PassInfoMixin<SplitAtChecks> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
