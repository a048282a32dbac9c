// Lets all iterations of a loop read what only some need, so that LLVM vectorises the loop.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// In `a[j - 1] > 0 and a[j] > 0 and a[j + 1] > 0`, and in stencils with conditions, an iteration
/// loads some elements only if others have certain values. LLVM loads such an element by a branch
/// for each lane, because it could be outside the array. This pass moves the load before the
/// branch if it is between two elements that the iteration has loaded there.
class LoadNeighboursAlways : public llvm::PassInfoMixin<LoadNeighboursAlways> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
