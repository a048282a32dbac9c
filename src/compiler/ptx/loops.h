// Loops in code for CUDA devices.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Lets loops over range() end where the count of turns that are left is 0, not where it is not
/// above 0: LLVM then sees how few turns short ones such as `range(item, 20, 16)` have, and unrolls
/// them no further. The front end marks the count's comparison and its next value (hither.turns).
/// CPUs keep what their vectoriser knows.
void end_loops_at_zero(llvm::Module& module);

/// Asks for four turns at a time of innermost loops of middle size with a known number of turns:
/// LLVM takes square roots and divisions to be long and leaves such loops as they are, where
/// counting takes a tenth of the time. Before LLVM's own unrolling.
class UnrollByFour : public llvm::PassInfoMixin<UnrollByFour> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
