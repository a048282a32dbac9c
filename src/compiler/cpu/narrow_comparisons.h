// Compares integers in as few bits as they need.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Python's integers have 64 bits, whatever the element type: a sum of eight bytes is compared in
/// vectors of 8 lanes, although 32 would fit. This pass compares sums, products and similar
/// operations on extended values in as many bits as the values need. AggressiveInstCombine, which
/// must run after it, then narrows the operations.
class NarrowComparisons : public llvm::PassInfoMixin<NarrowComparisons> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
