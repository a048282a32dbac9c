// Loops of a few turns that items leave at different times.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Unrolls, in a function of one group (group_kernel.h), the loops that items leave at different
/// times and after a few turns, such as `for i in range(local_id, tile, local_size)`. What is left
/// are branches, which LLVM turns into masks when it vectorises the loop over the items; a loop in
/// its body it would not vectorise. Wants loops simplified and in LCSSA form.
class UnrollShortLoops : public llvm::PassInfoMixin<UnrollShortLoops> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
