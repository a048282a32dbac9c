// Unrolls loops of a few iterations that not all items of a group run together.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Works on a function of one group (group_kernel.h). It unrolls the loops that items leave in
/// different iterations, but all of them after few, such as `for i in range(local_id, tile,
/// local_size)`, and longer ones of a constant length that not all items enter. The remaining
/// branches become masks when LLVM vectorises the loop over the items. LLVM would not vectorise a
/// loop around another loop. Requires loops in simplified and LCSSA form.
class UnrollShortLoops : public llvm::PassInfoMixin<UnrollShortLoops> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
