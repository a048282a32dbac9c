#include "compiler/spirv/comparisons.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace hither::compiler {

void compare_without_negations(llvm::Function& kernel) {
  for (llvm::Instruction& i : llvm::instructions(kernel)) {
    auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&i);
    if (!comparison) continue;
    for (llvm::Use& operand : comparison->operands()) {
      llvm::Value* negated = nullptr;
      if (!match(operand.get(), llvm::PatternMatch::m_FNeg(llvm::PatternMatch::m_Value(negated))))
        continue;
      llvm::IRBuilder<> b(comparison);
      operand.set(b.CreateFSub(llvm::ConstantFP::get(negated->getType(), 0.0), negated));
    }
  }
}

}  // namespace hither::compiler
