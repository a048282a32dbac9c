#include "compiler/spirv/complements.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/spirv/hidden_constants.h"

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
  HiddenConstants constants(kernel);
  for (llvm::Instruction* i : complements)
    i->setOperand(1, constants.get(llvm::Constant::getAllOnesValue(i->getType())));
}

}  // namespace hither::compiler
