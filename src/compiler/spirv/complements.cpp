#include "compiler/spirv/complements.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/spirv/hidden_zero.h"

namespace hither::compiler {

void hide_complements(llvm::Function& kernel) {
  using llvm::PatternMatch::m_AllOnes;
  using llvm::PatternMatch::m_Value;
  using llvm::PatternMatch::m_Xor;
  llvm::SmallVector<llvm::Instruction*, 8> complements;
  for (llvm::Instruction& i : llvm::instructions(kernel))
    if (match(&i, m_Xor(m_Value(), m_AllOnes())) && i.getType()->isIntegerTy() &&
        !i.getType()->isIntegerTy(1))
      complements.push_back(&i);
  for (llvm::Instruction* i : complements) {
    llvm::Value* const zero = hidden_zero(kernel, i->getType());
    llvm::IRBuilder<> b(i);
    i->setOperand(1, b.CreateSub(zero, llvm::ConstantInt::get(i->getType(), 1)));
  }
}

}  // namespace hither::compiler
