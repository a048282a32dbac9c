#include "compiler/cpu/math_arithmetic.h"

#include <numbers>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/cpu/math_coefficients.h"

namespace hither::compiler {
namespace {

using llvm::Value;

/// Writes the arithmetic of a call at `place`. No method has branches: where a function has several
/// formulas, all are computed for every lane, and one is chosen.
class MathWriter {
 public:
  MathWriter(llvm::Instruction* place, llvm::Type* type, bool fused)
      : b_(place), type_(type), is_double_(type->getScalarType()->isDoubleTy()), fused_(fused) {}

  /// x + x**3 * polynomial(x**2), and from the border on 1 - 2 / (exp(2x) + 1).
  Value* tanh(Value* x) {
    const TanhPolynomials& p = tanh_polynomials();
    Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Value* square = b_.CreateFMul(x, x);
    Value* near =
        multiply_add(b_.CreateFMul(magnitude, square), in_parallel(p.near, square), magnitude);
    Value* is_near = b_.CreateFCmpOLT(magnitude, number(p.border));
    Value* result = b_.CreateSelect(is_near, near, far_tanh(magnitude));
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, x);
  }

  /// x + x * near(x * x), and from the border on 1 - power(-g), where
  /// g = u * tail(u) = log2(erfc(border) / erfc(border + u)) and power(y) = erfc(border) * 2**y: g
  /// is 0 at the border, where erfc is largest, so that the rounding error of g is small there.
  Value* erf(Value* x) {
    const ErfPolynomials& p = is_double_ ? kErfDouble : kErfFloat;
    Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Value* near = multiply_add(x, by_horner(p.near, b_.CreateFMul(x, x)), x);
    Value* u = b_.CreateFSub(at_most(magnitude, p.end), number(p.border));
    const Rounded exponent = rounded(b_.CreateFMul(u, in_parallel(p.tail, u)));
    Value* power = in_parallel(p.power, exponent.fraction);
    Value* far = multiply_add(b_.CreateFNeg(power), power_of_2(exponent.shifted), number(1));
    far = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, far, x);
    return b_.CreateSelect(b_.CreateFCmpOLT(magnitude, number(p.border)), near, far);
  }

  /// 2**(|x| * tail(|x|)), or 2 minus this below 0. For doubles that are rounded to floats.
  Value* float_erfc(Value* x) {
    Value* magnitude = at_most(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), kErfcEnd);
    const Rounded exponent = rounded(b_.CreateFMul(magnitude, in_parallel(kErfcTail, magnitude)));
    Value* power = in_parallel(kErfcPower, exponent.fraction);
    Value* positive = b_.CreateFMul(power, power_of_2(exponent.shifted));
    Value* negative = b_.CreateFSub(number(2), positive);
    return b_.CreateSelect(b_.CreateFCmpOLT(x, number(0)), negative, positive);
  }

 private:
  const TanhPolynomials& tanh_polynomials() const { return is_double_ ? kTanhDouble : kTanhFloat; }
  int mantissa_bits() const { return is_double_ ? 52 : 23; }
  uint64_t bias() const { return is_double_ ? 1023 : 127; }

  Value* number(double value) const { return llvm::ConstantFP::get(type_, value); }
  llvm::Type* integers() { return type_->getWithNewType(b_.getIntNTy(is_double_ ? 64 : 32)); }
  Value* integer(uint64_t value) { return llvm::ConstantInt::get(integers(), value); }

  Value* multiply_add(Value* x, Value* y, Value* summand) {
    return fused_ ? b_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {x, y, summand})
                  : b_.CreateFAdd(b_.CreateFMul(x, y), summand);
  }

  Value* at_most(Value* x, double most) {
    return b_.CreateSelect(b_.CreateFCmpOGT(x, number(most)), number(most), x);
  }

  Value* by_horner(std::span<const double> coefficients, Value* x) {
    Value* sum = number(coefficients.back());
    for (size_t i = coefficients.size() - 1; i-- > 0;)
      sum = multiply_add(sum, x, number(coefficients[i]));
    return sum;
  }

  /// As up to four sums in x**4, whose steps alternate: a chain of products would wait for each of
  /// them, and a CPU looks ahead only so far. The constant is added last, so that most rounding
  /// errors are small.
  Value* in_parallel(std::span<const double> coefficients, Value* x) {
    Value* square = b_.CreateFMul(x, x);
    Value* fourth = b_.CreateFMul(square, square);
    Value* sums[4] = {};
    for (size_t i = coefficients.size() - 1; i > 0; --i) {
      Value*& sum = sums[(i - 1) % 4];
      Value* coefficient = number(coefficients[i]);
      sum = sum ? multiply_add(sum, fourth, coefficient) : coefficient;
    }
    Value* sum = sums[1] ? multiply_add(sums[1], x, sums[0]) : sums[0];
    if (sums[2]) {
      Value* high = sums[3] ? multiply_add(sums[3], x, sums[2]) : sums[2];
      sum = multiply_add(high, square, sum);
    }
    return multiply_add(sum, x, number(coefficients[0]));
  }

  /// x = value + fraction, where value is an integer, which is also in the last bits of `shifted`.
  struct Rounded {
    Value *shifted, *value, *fraction;
  };

  /// A sum with this number is rounded to an integer.
  Value* shift() const { return number(is_double_ ? 0x1.8p52 : 0x1.8p23); }

  Rounded rounded(Value* x) {
    Value* shifted = b_.CreateFAdd(x, shift());
    Value* value = b_.CreateFSub(shifted, shift());
    return {shifted, value, b_.CreateFSub(x, value)};
  }

  /// 2 to the power of the integer in the last bits, which must be an exponent of the type.
  Value* power_of_2(Value* shifted) {
    Value* bits = b_.CreateShl(b_.CreateBitCast(shifted, integers()), mantissa_bits());
    return b_.CreateBitCast(b_.CreateAdd(bits, integer(bias() << mantissa_bits())), type_);
  }

  /// exp(x) = 2**n * (sum + rest), where n is the integer nearest to x / ln(2) and the rest is
  /// below a tenth of the sum.
  struct Reduced {
    Value *n, *sum, *rest;
  };

  Reduced reduce(Value* x) {
    const TanhPolynomials& p = tanh_polynomials();
    Value* n = rounded(b_.CreateFMul(x, number(std::numbers::log2e))).value;
    Value* high = multiply_add(n, number(-p.ln2_high), x);  // exact
    Value* low = b_.CreateFMul(n, number(p.ln2_low));
    Value* r = b_.CreateFSub(high, low);
    Value* tail = multiply_add(b_.CreateFMul(r, r), in_parallel(p.exp, r), b_.CreateFNeg(low));
    Value* sum = b_.CreateFAdd(high, number(1));
    Value* lost = b_.CreateFSub(high, b_.CreateFSub(sum, number(1)));
    return {n, sum, b_.CreateFAdd(lost, tail)};
  }

  /// The rounding errors of exp(2x), of the sum with 1 and of the difference are computed, and the
  /// result is corrected for them. That of the quotient remains: up to a quarter of an ulp.
  Value* far_tanh(Value* magnitude) {
    const Reduced reduced = reduce(at_most(b_.CreateFMul(magnitude, number(2)), 40));
    Value* sum = b_.CreateFAdd(reduced.sum, reduced.rest);
    Value* lost = b_.CreateFSub(reduced.rest, b_.CreateFSub(sum, reduced.sum));
    Value* scale = power_of_2(b_.CreateFAdd(reduced.n, shift()));
    Value* power = b_.CreateFMul(sum, scale);
    Value* divisor = b_.CreateFAdd(power, number(1));
    Value* divisor_lost = b_.CreateFSub(number(1), b_.CreateFSub(divisor, power));
    divisor_lost = b_.CreateFAdd(divisor_lost, b_.CreateFMul(lost, scale));
    Value* quotient = b_.CreateFDiv(number(2), divisor);
    Value* result = b_.CreateFSub(number(1), quotient);
    Value* result_lost = b_.CreateFSub(b_.CreateFSub(number(1), result), quotient);
    // 2 / (d + e) = q - e * q**2 / 2 for q = 2 / d.
    Value* half_square = b_.CreateFMul(b_.CreateFMul(quotient, quotient), number(0.5));
    result_lost = b_.CreateFAdd(result_lost, b_.CreateFMul(half_square, divisor_lost));
    return b_.CreateFAdd(result, result_lost);
  }

  llvm::IRBuilder<> b_;
  llvm::Type* type_;
  bool is_double_, fused_;
};

Value* float_erfc(llvm::CallInst* call, bool fused) {
  llvm::IRBuilder<> b(call);
  llvm::Type* wide = call->getType()->getWithNewType(b.getDoubleTy());
  Value* x = b.CreateFPExt(call->getArgOperand(0), wide);
  return b.CreateFPTrunc(MathWriter(call, wide, fused).float_erfc(x), call->getType());
}

/// The result of a call, or null if the function has no arithmetic here.
Value* arithmetic(llvm::CallInst* call, const MathCall& description, bool fused) {
  const llvm::StringRef name = description.function->name;
  MathWriter writer(call, call->getType(), fused);
  Value* x = call->getArgOperand(0);
  if (name == "tanh") return writer.tanh(x);
  if (name == "erf") return writer.erf(x);
  if (name == "erfc" && description.type == 's') return float_erfc(call, fused);
  return nullptr;
}

}  // namespace

void expand_math(llvm::Function& f, const MathCall& call, bool fused) {
  for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
    auto* found = llvm::cast<llvm::CallInst>(user);
    Value* result = arithmetic(found, call, fused);
    if (!result) return;
    found->replaceAllUsesWith(result);
    found->eraseFromParent();
  }
}

}  // namespace hither::compiler
