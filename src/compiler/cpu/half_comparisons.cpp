#include "compiler/cpu/half_comparisons.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {

llvm::PreservedAnalyses CompareHalvesAsFloats::run(llvm::Function& f,
                                                   llvm::FunctionAnalysisManager&) {
  bool found = false;
  for (llvm::Instruction& i : llvm::instructions(f)) {
    auto* const comparison = llvm::dyn_cast<llvm::FCmpInst>(&i);
    if (!comparison || !comparison->getOperand(0)->getType()->getScalarType()->isHalfTy()) continue;
    found = true;
    llvm::IRBuilder<> b(comparison);
    for (llvm::Use& operand : comparison->operands())
      operand = b.CreateFPExt(operand, operand->getType()->getWithNewType(b.getFloatTy()));
  }
  return found ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace hither::compiler
