// bfloat16 and float8 elements, which are integers in registers: conversions from and to float32.
// They are integer operations, so all devices give the same bits.
#include "array/emit/element.h"

namespace hither::array {

using llvm::Value;

namespace {

/// A float8 format.
struct Format {
  int mantissa;       ///< bits
  int bias;           ///< of the exponent
  uint32_t beyond;    ///< float32 bits of the first power of two, or sum, above all numbers
  uint32_t infinity;  ///< what larger numbers become
  uint32_t not_a_number;
};
constexpr Format kE4M3FN{3, 7, 0x43f00000, 0x7f, 0x7f};  // 480
constexpr Format kE5M2{2, 15, 0x47800000, 0x7c, 0x7e};   // 65536

const Format& format_of(DType t) { return t == DType::kFloat8E4M3FN ? kE4M3FN : kE5M2; }

constexpr uint32_t kSignBit = 0x80000000, kInfinity = 0x7f800000;
constexpr int kMantissa = 23, kBias = 127;

/// Constants and comparisons of float32 bits, in every lane.
struct Bits {
  llvm::IRBuilder<>& b;
  llvm::Type* type;

  Value* number(uint32_t v) const { return llvm::ConstantInt::get(type, v); }
  Value* masked(Value* x, uint32_t mask) const { return b.CreateAnd(x, number(mask)); }
  Value* above(Value* x, uint32_t v) const { return b.CreateICmpUGT(x, number(v)); }
  /// x with its `count` lowest bits rounded away, to nearest, ties to even.
  Value* rounded(Value* x, unsigned count) const {
    Value* is_odd = masked(b.CreateLShr(x, count), 1);
    Value* sum = b.CreateAdd(x, b.CreateAdd(is_odd, number((1U << (count - 1)) - 1)));
    return b.CreateLShr(sum, count);
  }
};

}  // namespace

Element ElementEmitter::widened(const Element& e, DType from) {
  const Bits bits{b, widen(b.getInt32Ty())};
  llvm::Type* floats = widen(b.getFloatTy());
  Value* x = b.CreateZExt(e.re, bits.type);
  if (from == DType::kBFloat16) return {b.CreateBitCast(b.CreateShl(x, 16), floats)};
  const Format& f = format_of(from);
  const auto shift = static_cast<unsigned>(kMantissa - f.mantissa);
  Value* size = bits.masked(x, 0x7f);
  Value* normal = b.CreateAdd(b.CreateShl(size, shift),
                              bits.number(static_cast<uint32_t>(kBias - f.bias) << kMantissa));
  const double unit = 1.0 / static_cast<double>(1 << (f.bias - 1 + f.mantissa));
  Value* small = b.CreateBitCast(
      b.CreateFMul(b.CreateUIToFP(size, floats), llvm::ConstantFP::get(floats, unit)), bits.type);
  Value* is_small = b.CreateICmpULT(size, bits.number(1U << f.mantissa));
  Value* result = b.CreateSelect(is_small, small, normal);
  if (from == DType::kFloat8E5M2)
    result = b.CreateSelect(b.CreateICmpEQ(size, bits.number(f.infinity)), bits.number(kInfinity),
                            result);
  const uint32_t last_number = from == DType::kFloat8E5M2 ? f.infinity : f.not_a_number - 1;
  result = b.CreateSelect(bits.above(size, last_number), bits.number(0x7fc00000), result);
  result = b.CreateOr(result, b.CreateShl(bits.masked(x, 0x80), 24));
  return {b.CreateBitCast(result, floats)};
}

Element ElementEmitter::narrowed(const Element& e, DType to) {
  const Bits bits{b, widen(b.getInt32Ty())};
  llvm::Type* stored = part_type(to);
  Value* x = b.CreateBitCast(e.re, bits.type);
  Value* size = bits.masked(x, ~kSignBit);
  if (to == DType::kBFloat16) {
    Value* sign = b.CreateLShr(bits.masked(x, kSignBit), 16);
    Value* result = b.CreateSelect(bits.above(size, kInfinity),
                                   b.CreateOr(sign, bits.number(0x7fc0)), bits.rounded(x, 16));
    return {b.CreateTrunc(result, stored)};
  }
  const Format& f = format_of(to);
  const auto shift = static_cast<unsigned>(kMantissa - f.mantissa);
  // Subtracting the difference of the biases makes exponents those of the format.
  Value* rebiased =
      b.CreateSub(size, bits.number(static_cast<uint32_t>(kBias - f.bias) << kMantissa));
  Value* normal = bits.rounded(rebiased, shift);
  // The last bit of this number is worth the least number of the format, so that a sum is rounded
  // to a multiple of it.
  const uint32_t unit = static_cast<uint32_t>(kBias - f.bias + static_cast<int>(shift) + 1)
                        << kMantissa;
  llvm::Type* floats = widen(b.getFloatTy());
  Value* sum =
      b.CreateFAdd(b.CreateBitCast(size, floats), b.CreateBitCast(bits.number(unit), floats));
  Value* small = b.CreateSub(b.CreateBitCast(sum, bits.type), bits.number(unit));
  Value* is_small =
      b.CreateICmpULT(size, bits.number(static_cast<uint32_t>(kBias - f.bias + 1) << kMantissa));
  Value* result = b.CreateSelect(is_small, small, normal);
  result = b.CreateSelect(bits.above(size, f.beyond - 1), bits.number(f.infinity), result);
  result = b.CreateSelect(bits.above(size, kInfinity), bits.number(f.not_a_number), result);
  result = b.CreateOr(result, b.CreateLShr(bits.masked(x, kSignBit), 24));
  return {b.CreateTrunc(result, stored)};
}

// Where an integer has more bits than float32's 24, its last bits are replaced by one that records
// whether any was set. `dropped` bits, which are below the last bit of a bfloat16 by two or more,
// never change how the integer rounds.
Value* ElementEmitter::float_before(const Element& e, DType from) {
  llvm::Type* floats = widen(b.getFloatTy());
  if (from == DType::kFloat64) return odd_float(e.re);
  if (is_floating(from)) return cast(e, from, DType::kFloat32).re;
  const bool is_signed = kind_of(from) == DTypeKind::kInt;
  Value* x = e.re;
  struct Step {
    int bits, dropped;
  };
  constexpr Step kSteps[] = {{24, 10}, {34, 25}, {49, 40}};
  const int width = 8 * size_of(from);
  for (const Step& step : kSteps) {
    if (step.bits >= width) break;
    llvm::Type* type = x->getType();
    const auto number = [&](uint64_t v) { return llvm::ConstantInt::get(type, v); };
    const uint64_t limit = uint64_t{1} << step.bits, mask = (uint64_t{1} << step.dropped) - 1;
    Value* is_small = is_signed ? b.CreateICmpULT(b.CreateAdd(x, number(limit)), number(2 * limit))
                                : b.CreateICmpULT(x, number(limit));
    Value* rest = b.CreateICmpNE(b.CreateAnd(x, number(mask)), number(0));
    Value* odd =
        b.CreateOr(b.CreateAnd(x, number(~mask)),
                   b.CreateShl(b.CreateZExt(rest, type), static_cast<unsigned>(step.dropped)));
    x = b.CreateSelect(is_small, x, odd);
  }
  return is_signed ? b.CreateSIToFP(x, floats) : b.CreateUIToFP(x, floats);
}

Element ElementEmitter::bfloat16_op(Op op, const Element* x) {
  Element wide[2];
  for (int i = 0; i < info_of(op).arity; ++i) wide[i] = widened(x[i], DType::kBFloat16);
  const Element result = apply(op, DType::kFloat32, wide);
  return result.re->getType()->isFPOrFPVectorTy() ? narrowed(result, DType::kBFloat16) : result;
}

}  // namespace hither::array
