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
    if (match(&i, m_Xor(m_Value(), m_AllOnes())) &&
        (i.getType()->isIntegerTy(32) || i.getType()->isIntegerTy(64)))
      complements.push_back(&i);
  llvm::SmallDenseMap<llvm::Type*, llvm::Value*, 2> ones;
  for (llvm::Instruction* i : complements) {
    llvm::Value*& known = ones[i->getType()];
    if (!known) {
      auto* const zero = llvm::cast<llvm::Instruction>(hidden_zero(kernel, i->getType()));
      llvm::IRBuilder<> b(zero->getNextNode());
      known = b.CreateSub(zero, llvm::ConstantInt::get(i->getType(), 1));
    }
    i->setOperand(1, known);
  }
}

}  // namespace hither::compiler
