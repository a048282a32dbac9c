#include "compiler/ptx/halves.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace hither::compiler {
namespace {

using llvm::IRBuilder;
using llvm::Value;
namespace id = llvm::Intrinsic;
namespace match = llvm::PatternMatch;

Value* fma(IRBuilder<>& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(id::fma, {b.getFloatTy()}, {x, y, z});
}

// In float32, all float16 values and their reciprocals are normal. A quotient of float16 values is
// never closer to the midpoint of two float16 values than float32 can resolve, unless it is the
// midpoint itself; then the remainder is exact. If the remainder is 0, or nan because of infinities
// or zeros, the first quotient is correct.
Value* quotient(llvm::Instruction& division) {
  IRBuilder<> b(&division);
  Value* x = b.CreateFPExt(division.getOperand(0), b.getFloatTy());
  Value* y = b.CreateFPExt(division.getOperand(1), b.getFloatTy());
  Value* reciprocal = b.CreateIntrinsic(id::nvvm_rcp_approx_ftz_f, {}, {y});
  Value* first = b.CreateFMul(x, reciprocal);
  Value* left = fma(b, b.CreateFNeg(first), y, x);
  Value* is_inexact = b.CreateFCmpONE(left, llvm::ConstantFP::get(b.getFloatTy(), 0));
  Value* nearest = b.CreateSelect(is_inexact, fma(b, left, reciprocal, first), first);
  return b.CreateFPTrunc(nearest, division.getType());
}

// The product of a float16 value and the upper part of log2(e) is exact.
Value* power(IRBuilder<>& b, Value* x) {
  constexpr double kUpper = 5909.0 / 4096, kLower = 1.4426950408889634 - kUpper;
  auto constant = [&](double v) { return llvm::ConstantFP::get(b.getFloatTy(), v); };
  Value* exponent = fma(b, x, constant(kLower), b.CreateFMul(x, constant(kUpper)));
  return b.CreateIntrinsic(id::nvvm_ex2_approx_ftz_f, {}, {exponent});
}

bool is_power_of_half(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call || !call->getCalledFunction() ||
      call->getCalledFunction()->getName() != "hither.math.exp.f32")
    return false;
  auto is_half = [](const Value* v) { return v->getType()->isHalfTy(); };
  Value* wide = nullptr;
  return match::match(call->getArgOperand(0), match::m_FPExt(match::m_Value(wide))) &&
         is_half(wide) && llvm::all_of(call->users(), [&](const llvm::User* user) {
           return llvm::isa<llvm::FPTruncInst>(user) && is_half(user);
         });
}

}  // namespace

void shorten_math_of_halves(llvm::Function& kernel) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    Value* shorter = nullptr;
    if (i.getOpcode() == llvm::Instruction::FDiv && i.getType()->isHalfTy())
      shorter = quotient(i);
    else if (is_power_of_half(i)) {
      IRBuilder<> b(&i);
      shorter = power(b, i.getOperand(0));
    }
    if (!shorter) continue;
    i.replaceAllUsesWith(shorter);
    i.eraseFromParent();
  }
}

}  // namespace hither::compiler
