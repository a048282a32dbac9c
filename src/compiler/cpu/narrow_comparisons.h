// Integers compared in no more bits than they need.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Python's integers reach us with 64 bits, whatever the arrays hold: a sum of eight bytes is
/// compared in vectors of 8 where 32 would fit. Comparisons of sums, products and the like of
/// extended values are made in as many bits as the values need; AggressiveInstCombine, run behind
/// it, then narrows what leads to them.
class NarrowComparisons : public llvm::PassInfoMixin<NarrowComparisons> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
