// Below `border`, erf(x) = x + x * near(x * x). Above, erf(|x|) = 1 - power(-g), where
// g = u * tail(u) = log2(erfc(border) / erfc(border + u)) and power(y) = erfc(border) * 2**y: g is
// 0 at the border, where erfc is largest, so that the rounding error of g is small there. Both are
// computed for every x, and one is chosen.
//
// erfc of floats is 2**(|x| * tail(|x|)), or 2 minus this below 0.
#include "compiler/cpu/erf.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/cpu/erf_coefficients.h"

namespace hither::compiler {
namespace {

class ErfWriter {
 public:
  ErfWriter(llvm::Instruction* place, llvm::Type* type, bool fused)
      : b_(place),
        type_(type),
        is_double_(type_->getScalarType()->isDoubleTy()),
        fused_(fused),
        polynomials_(is_double_ ? kErfDouble : kErfFloat) {}

  llvm::Value* erf(llvm::Value* x) {
    llvm::Value* size = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    llvm::Value* near = multiply_add(x, by_horner(polynomials_.near, b_.CreateFMul(x, x)), x);
    llvm::Value* far = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, far_erf(size), x);
    return b_.CreateSelect(b_.CreateFCmpOLT(size, number(polynomials_.border)), near, far);
  }

  /// In double, and rounded once.
  llvm::Value* float_erfc(llvm::Value* x) {
    llvm::Value* size = at_most(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), kErfcEnd);
    const Product power = power_of_2(b_.CreateFMul(size, in_parallel(kErfcTail, size)), kErfcPower);
    llvm::Value* positive = b_.CreateFMul(power.factor, power.scale);
    llvm::Value* negative = b_.CreateFSub(number(2), positive);
    return b_.CreateSelect(b_.CreateFCmpOLT(x, number(0)), negative, positive);
  }

 private:
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(type_, value); }

  llvm::Value* multiply_add(llvm::Value* x, llvm::Value* y, llvm::Value* summand) {
    return fused_ ? b_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {x, y, summand})
                  : b_.CreateFAdd(b_.CreateFMul(x, y), summand);
  }

  llvm::Value* by_horner(std::span<const double> coefficients, llvm::Value* x) {
    llvm::Value* sum = number(coefficients.back());
    for (size_t i = coefficients.size() - 1; i-- > 0;)
      sum = multiply_add(sum, x, number(coefficients[i]));
    return sum;
  }

  /// As four sums in x**4, whose steps alternate: a chain of products would wait for each of them,
  /// and a CPU looks ahead only so far. The constant is added last, so that most rounding errors
  /// are small.
  llvm::Value* in_parallel(std::span<const double> coefficients, llvm::Value* x) {
    llvm::Value* square = b_.CreateFMul(x, x);
    llvm::Value* fourth = b_.CreateFMul(square, square);
    llvm::Value* sums[4] = {};
    for (size_t i = coefficients.size() - 1; i > 0; --i) {
      llvm::Value*& sum = sums[(i - 1) % 4];
      llvm::Value* coefficient = number(coefficients[i]);
      sum = sum ? multiply_add(sum, fourth, coefficient) : coefficient;
    }
    llvm::Value* low = multiply_add(sums[1], x, sums[0]);
    llvm::Value* high = multiply_add(sums[3], x, sums[2]);
    return multiply_add(multiply_add(high, square, low), x, number(coefficients[0]));
  }

  llvm::Value* far_erf(llvm::Value* size) {
    llvm::Value* u = b_.CreateFSub(at_most(size, polynomials_.end), number(polynomials_.border));
    llvm::Value* exponent = b_.CreateFMul(u, in_parallel(polynomials_.tail, u));
    const Product power = power_of_2(exponent, polynomials_.power);
    return multiply_add(b_.CreateFNeg(power.factor), power.scale, number(1));
  }

  llvm::Value* at_most(llvm::Value* x, double most) {
    return b_.CreateSelect(b_.CreateFCmpOGT(x, number(most)), number(most), x);
  }

  struct Product {
    llvm::Value *factor, *scale;
  };

  /// `power` is a constant times 2**y for y from -1/2 to 1/2.
  Product power_of_2(llvm::Value* exponent, std::span<const double> power) {
    const int mantissa = is_double_ ? 52 : 23;
    const uint64_t one = is_double_ ? uint64_t{1023} << mantissa : uint64_t{127} << mantissa;
    // The sum is rounded to a whole number, which its last bits are.
    llvm::Value* shift = number(is_double_ ? 0x1.8p52 : 0x1.8p23);
    llvm::Value* shifted = b_.CreateFAdd(exponent, shift);
    llvm::Value* fraction = b_.CreateFSub(exponent, b_.CreateFSub(shifted, shift));
    llvm::Type* integers = type_->getWithNewType(b_.getIntNTy(is_double_ ? 64 : 32));
    llvm::Value* bits = b_.CreateShl(b_.CreateBitCast(shifted, integers), mantissa);
    bits = b_.CreateAdd(bits, llvm::ConstantInt::get(integers, one));
    return {in_parallel(power, fraction), b_.CreateBitCast(bits, type_)};
  }

  llvm::IRBuilder<> b_;
  llvm::Type* type_;
  bool is_double_, fused_;
  const ErfPolynomials& polynomials_;
};

}  // namespace

void expand_erf(llvm::Function& f, bool fused) {
  for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    ErfWriter writer(call, call->getType(), fused);
    call->replaceAllUsesWith(writer.erf(call->getArgOperand(0)));
    call->eraseFromParent();
  }
}

void expand_float_erfc(llvm::Function& f, bool fused) {
  for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> b(call);
    llvm::Type* type = call->getType();
    llvm::Type* wide = type->getWithNewType(b.getDoubleTy());
    llvm::Value* x = b.CreateFPExt(call->getArgOperand(0), wide);
    llvm::Value* result = ErfWriter(call, wide, fused).float_erfc(x);
    call->replaceAllUsesWith(b.CreateFPTrunc(result, type));
    call->eraseFromParent();
  }
}

}  // namespace hither::compiler
