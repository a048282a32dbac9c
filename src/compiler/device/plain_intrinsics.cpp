#include "compiler/device/plain_intrinsics.h"

#include <llvm/IR/InstrTypes.h>

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;
using llvm::APFloat;
using llvm::APInt;
using llvm::IRBuilder;
using llvm::Value;

unsigned bits_of(const Value* v) { return v->getType()->getScalarSizeInBits(); }

/// The instructions that replace one intrinsic call.
class Expansion {
 public:
  Expansion(IRBuilder<>& b, llvm::IntrinsicInst& call) : b_(b), call_(call) {}

  /// Null if there are none.
  Value* make() {
    const id::ID which = call_.getIntrinsicID();
    switch (which) {
      case id::smax:
      case id::smin:
      case id::umax:
      case id::umin: {
        const auto predicate = llvm::MinMaxIntrinsic::getPredicate(which);
        return b_.CreateSelect(b_.CreateICmp(predicate, arg(0), arg(1)), arg(0), arg(1));
      }
      case id::abs:
        return b_.CreateSelect(b_.CreateICmpSLT(arg(0), zero(arg(0))), b_.CreateNeg(arg(0)),
                               arg(0));
      case id::minimum:
      case id::maximum:
        return extreme(which == id::minimum);
      case id::fmuladd:
        return b_.CreateFAdd(b_.CreateFMul(arg(0), arg(1)), arg(2));
      case id::fshl:
      case id::fshr:
        return funnel(which == id::fshl);
      case id::bswap:
      case id::bitreverse:
        return reversed(which == id::bswap ? 8 : 1);
      case id::fptosi_sat:
      case id::fptoui_sat:
        return saturated(which == id::fptosi_sat);
      case id::is_fpclass:
        return is_class(static_cast<unsigned>(
            llvm::cast<llvm::ConstantInt>(call_.getArgOperand(1))->getZExtValue()));
      case id::sshl_sat:
      case id::ushl_sat:
        return shifted(which == id::sshl_sat);
      case id::expect:
        return arg(0);
      default:
        return nullptr;
    }
  }

 private:
  Value* arg(unsigned i) const { return call_.getArgOperand(i); }
  llvm::Constant* zero(Value* like) const { return llvm::Constant::getNullValue(like->getType()); }
  Value* number(Value* like, const APInt& n) const {
    return llvm::ConstantInt::get(like->getType(), n);
  }

  /// nan takes precedence, and -0 is less than +0.
  Value* extreme(bool least) {
    Value *x = arg(0), *y = arg(1);
    llvm::Type* bits = b_.getIntNTy(bits_of(x));
    Value *p = b_.CreateBitCast(x, bits), *q = b_.CreateBitCast(y, bits);
    Value* equal = b_.CreateBitCast(least ? b_.CreateOr(p, q) : b_.CreateAnd(p, q), x->getType());
    Value* first = least ? b_.CreateFCmpOLT(x, y) : b_.CreateFCmpOGT(x, y);
    Value* other = b_.CreateSelect(b_.CreateFCmpOEQ(x, y), equal, y);
    Value* result = b_.CreateSelect(first, x, other);
    return b_.CreateSelect(b_.CreateFCmpUNO(x, y), b_.CreateFAdd(x, y), result);
  }

  Value* funnel(bool left) {
    Value *high = arg(0), *low = arg(1);
    const unsigned bits = bits_of(high);
    Value* by = b_.CreateAnd(arg(2), bits - 1);
    Value* rest = b_.CreateSub(number(high, APInt(bits, bits)), by);
    Value* none = b_.CreateICmpEQ(by, zero(by));
    rest = b_.CreateAnd(rest, bits - 1);  // 0 without a shift; the select ignores the result then
    Value* mixed = left ? b_.CreateOr(b_.CreateShl(high, by), b_.CreateLShr(low, rest))
                        : b_.CreateOr(b_.CreateShl(high, rest), b_.CreateLShr(low, by));
    return b_.CreateSelect(none, left ? high : low, mixed);
  }

  /// Swaps neighbouring pieces, first of `unit` bits, then of twice as many, and so on.
  Value* reversed(unsigned unit) {
    Value* x = arg(0);
    const unsigned bits = bits_of(x);
    for (unsigned size = unit; size < bits; size *= 2) {
      const APInt low = APInt::getSplat(bits, APInt::getLowBitsSet(2 * size, size));
      Value* up = b_.CreateShl(b_.CreateAnd(x, number(x, low)), size);
      x = b_.CreateOr(up, b_.CreateAnd(b_.CreateLShr(x, size), number(x, low)));
    }
    return x;
  }

  /// The nearest integer that the type can represent; 0 for nan.
  Value* saturated(bool is_signed) {
    Value* x = arg(0);
    const unsigned bits = call_.getType()->getScalarSizeInBits();
    const APInt most = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    const APInt least = is_signed ? APInt::getSignedMinValue(bits) : APInt(bits, 0);
    const llvm::fltSemantics& kind = x->getType()->getFltSemantics();
    APFloat top(kind), bottom(kind);  // the last float below or at the limit
    top.convertFromAPInt(most, is_signed, APFloat::rmTowardZero);
    bottom.convertFromAPInt(least, is_signed, APFloat::rmTowardZero);
    Value *high = llvm::ConstantFP::get(x->getType(), top),
          *low = llvm::ConstantFP::get(x->getType(), bottom);
    Value *above = b_.CreateFCmpOGT(x, high), *inside = b_.CreateFCmpOGE(x, low);
    Value* in_range = b_.CreateAnd(inside, b_.CreateNot(above));
    Value* safe = b_.CreateSelect(in_range, x, zero(x));
    Value* whole =
        is_signed ? b_.CreateFPToSI(safe, call_.getType()) : b_.CreateFPToUI(safe, call_.getType());
    Value* below = b_.CreateFCmpOLT(x, low);
    whole = b_.CreateSelect(below, llvm::ConstantInt::get(call_.getType(), least), whole);
    return b_.CreateSelect(above, llvm::ConstantInt::get(call_.getType(), most), whole);
  }

  Value* is_class(unsigned mask) {
    Value* x = arg(0);
    const unsigned bits = bits_of(x);
    const llvm::fltSemantics& kind = x->getType()->getFltSemantics();
    Value* all = b_.CreateBitCast(x, b_.getIntNTy(bits));
    const APInt infinity = APFloat::getInf(kind).bitcastToAPInt();
    const APInt normal = APFloat::getSmallestNormalized(kind).bitcastToAPInt();
    const APInt quiet = APFloat::getQNaN(kind).bitcastToAPInt();
    Value* size = b_.CreateAnd(all, number(all, APInt::getSignedMaxValue(bits)));
    Value* negative = b_.CreateICmpSLT(all, zero(all));
    Value* result = b_.getFalse();
    auto add = [&](unsigned minus, unsigned plus, Value* is) {
      if (!(mask & (minus | plus))) return;
      if (!(mask & minus)) is = b_.CreateAnd(is, b_.CreateNot(negative));
      if (!(mask & plus)) is = b_.CreateAnd(is, negative);
      result = b_.CreateOr(result, is);
    };
    auto between = [&](const APInt& from, const APInt& to) {
      return b_.CreateICmpULT(b_.CreateSub(size, number(all, from)), number(all, to - from));
    };
    add(llvm::fcNegZero, llvm::fcPosZero, b_.CreateICmpEQ(size, zero(all)));
    add(llvm::fcNegSubnormal, llvm::fcPosSubnormal, between(APInt(bits, 1), normal));
    add(llvm::fcNegNormal, llvm::fcPosNormal, between(normal, infinity));
    add(llvm::fcNegInf, llvm::fcPosInf, b_.CreateICmpEQ(size, number(all, infinity)));
    add(llvm::fcSNan, llvm::fcSNan, between(infinity + 1, quiet));
    add(llvm::fcQNan, llvm::fcQNan, b_.CreateICmpUGE(size, number(all, quiet)));
    return result;
  }

  Value* shifted(bool is_signed) {
    Value *x = arg(0), *by = arg(1);
    const unsigned bits = bits_of(x);
    Value* moved = b_.CreateShl(x, by);
    Value* back = is_signed ? b_.CreateAShr(moved, by) : b_.CreateLShr(moved, by);
    Value* limit = number(x, is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits));
    if (is_signed)
      limit = b_.CreateSelect(b_.CreateICmpSLT(x, zero(x)),
                              number(x, APInt::getSignedMinValue(bits)), limit);
    return b_.CreateSelect(b_.CreateICmpEQ(back, x), moved, limit);
  }

  IRBuilder<>& b_;
  llvm::IntrinsicInst& call_;
};

}  // namespace

Value* plain_instructions(IRBuilder<>& b, llvm::IntrinsicInst& call) {
  return Expansion(b, call).make();
}

}  // namespace hither::compiler
