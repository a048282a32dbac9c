#include "compiler/module/powers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/module/link_module.h"
#include "compiler/module/math_functions.h"

namespace hither::compiler {
namespace {

using llvm::Value;

/// C's pow of infinities and zeros has no sign where the square root has one.
Value* square_root(llvm::IRBuilder<>& b, Value* x) {
  Value* infinity = llvm::ConstantFP::getInfinity(x->getType());
  Value* root = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs,
                                       b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
  return b.CreateSelect(b.CreateFCmpOEQ(x, b.CreateFNeg(infinity)), infinity, root);
}

/// The power by other operations, or null.
Value* shorter(llvm::IRBuilder<>& b, Value* x, const llvm::APFloat& exponent) {
  const auto is = [&](double number) { return exponent.isExactlyValue(number); };
  if (is(2)) return b.CreateFMul(x, x);
  if (is(1)) return x;
  if (is(0.5)) return square_root(b, x);
  if (exponent.isZero()) return llvm::ConstantFP::get(x->getType(), 1);
  if (is(-1)) return b.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1), x);
  return nullptr;
}

bool is_pow(const llvm::Function& f) {
  const auto call = math_call(f);
  return call && call->function->intrinsic == llvm::Intrinsic::pow;
}

}  // namespace

void shorten_powers(llvm::Module& module) {
  if (llvm::none_of(module, is_pow)) return;
  replace_variables(module);  // exponents may still be variables, or converted constants
  for (llvm::Function& f : module) {
    if (!is_pow(f)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      const llvm::APFloat* exponent = nullptr;
      if (!llvm::PatternMatch::match(call->getArgOperand(1),
                                     llvm::PatternMatch::m_APFloat(exponent)))
        continue;
      llvm::IRBuilder<> b(call);
      Value* const result = shorter(b, call->getArgOperand(0), *exponent);
      if (!result) continue;
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }
}

}  // namespace hither::compiler
