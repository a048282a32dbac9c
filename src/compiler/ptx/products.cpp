#include "compiler/ptx/products.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

namespace hither::compiler {
namespace {

bool is_below_2_to_32(const llvm::Value* v, const llvm::DataLayout& layout) {
  return llvm::computeKnownBits(v, layout).countMinLeadingZeros() >= 32;
}

}  // namespace

void shorten_products(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
      if (i.getOpcode() != llvm::Instruction::Mul || !i.getType()->isIntegerTy(64)) continue;
      if (!llvm::all_of(i.operands(), [&](llvm::Value* v) { return is_below_2_to_32(v, layout); }))
        continue;
      llvm::IRBuilder<> b(&i);
      llvm::Type *word = b.getInt32Ty(), *wide = b.getInt64Ty();
      auto* const product = llvm::InlineAsm::get(llvm::FunctionType::get(wide, {word, word}, false),
                                                 "mul.wide.u32 $0, $1, $2;", "=l,r,r", false);
      i.replaceAllUsesWith(b.CreateCall(
          product, {b.CreateTrunc(i.getOperand(0), word), b.CreateTrunc(i.getOperand(1), word)}));
      i.eraseFromParent();
    }
}

}  // namespace hither::compiler
