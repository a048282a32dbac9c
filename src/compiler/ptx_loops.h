// Loops in code for CUDA devices.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Asks for four turns at a time of innermost loops of middle size with a known number of turns:
/// LLVM takes square roots and divisions to be long and leaves such loops as they are, where
/// counting takes a tenth of the time. Before LLVM's own unrolling.
class UnrollByFour : public llvm::PassInfoMixin<UnrollByFour> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
