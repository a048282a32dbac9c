// Types, loads, stores and casts of elements.
#include "array/emit/element.h"

#include <bit>
#include <numeric>

namespace hither::array {

using llvm::Value;

std::string library_suffix(DType t) {
  const int bits = size_of(t) * 8;
  switch (kind_of(t)) {
    case DTypeKind::kBool:
      return "i8";
    case DTypeKind::kInt:
      return "i" + std::to_string(bits);
    case DTypeKind::kUInt:
      return "u" + std::to_string(bits);
    case DTypeKind::kFloat:
      return (t == DType::kBFloat16 ? "bf" : "f") + std::to_string(bits);
    case DTypeKind::kComplex:
      return "c" + std::to_string(bits);
  }
  return {};
}

llvm::Type* ElementEmitter::widen(llvm::Type* scalar) const {
  return lanes_ == 1 ? scalar : llvm::FixedVectorType::get(scalar, static_cast<unsigned>(lanes_));
}

llvm::Type* ElementEmitter::memory_type(DType t) const {
  llvm::LLVMContext& c = b.getContext();
  switch (t) {
    case DType::kFloat16:
      return llvm::Type::getHalfTy(c);
    case DType::kFloat32:
    case DType::kComplex64:
      return llvm::Type::getFloatTy(c);
    case DType::kFloat64:
    case DType::kComplex128:
      return llvm::Type::getDoubleTy(c);
    default:
      return llvm::Type::getIntNTy(c, static_cast<unsigned>(size_of(t)) * 8);
  }
}

llvm::Type* ElementEmitter::part_type(DType t) const {
  return widen(t == DType::kBool ? b.getInt1Ty() : memory_type(t));
}

Value* ElementEmitter::constant(DType t, double v) const {
  llvm::Type* type = part_type(t);
  if (type->isFPOrFPVectorTy()) return llvm::ConstantFP::get(type, v);
  return llvm::ConstantInt::get(type, static_cast<uint64_t>(static_cast<int64_t>(v)));
}

Value* ElementEmitter::select_zero(DType t) const {
  return llvm::Constant::getNullValue(part_type(t));
}

// LLVM 19 splits a gather of, say, 20 lanes into whole registers. It may then give the surplus
// lanes one register for address and result, which the processor rejects. So the number of lanes is
// a power of two, and surplus lanes read the first lane's element.
Value* ElementEmitter::gather(llvm::Type* part, Value* where, llvm::Align align, Value* mask) {
  const int whole = static_cast<int>(std::bit_ceil(static_cast<unsigned>(lanes_)));
  llvm::Type* type = llvm::FixedVectorType::get(part, static_cast<unsigned>(whole));
  llvm::SmallVector<int, 64> lanes(static_cast<size_t>(whole), 0);
  std::iota(lanes.begin(), lanes.begin() + lanes_, 0);
  const bool fits = whole == lanes_;
  auto stretched = [&](Value* v) { return fits || !v ? v : b.CreateShuffleVector(v, lanes); };
  Value* got = b.CreateMaskedGather(type, stretched(where), align, stretched(mask),
                                    llvm::Constant::getNullValue(type));
  return fits ? got : b.CreateShuffleVector(got, llvm::ArrayRef(lanes).take_front(lanes_));
}

Element ElementEmitter::load(DType t, Value* base, Value* index, Value* step, Value* mask) {
  llvm::Type* part = memory_type(t);
  const llvm::Align align(static_cast<uint64_t>(part->getScalarSizeInBits() / 8));
  const bool pair = is_complex(t);
  auto load_part = [&](int which) -> Value* {
    Value* first =
        pair ? b.CreateAdd(b.CreateShl(index, 1), b.getInt64(static_cast<uint64_t>(which))) : index;
    if (lanes_ == 1) return b.CreateAlignedLoad(part, b.CreateGEP(part, base, first), align);
    if (!step && !pair) {
      Value* at = b.CreateGEP(part, base, first);
      const llvm::Align word(align.value() * static_cast<uint64_t>(in_words_ ? lanes_ : 1));
      if (!mask) return b.CreateAlignedLoad(widen(part), at, word);
      return b.CreateMaskedLoad(widen(part), at, align, mask,
                                llvm::Constant::getNullValue(widen(part)));
    }
    Value* apart = step ? step : b.getInt64(1);
    if (pair) apart = b.CreateShl(apart, 1);
    Value* offsets = b.CreateMul(b.CreateVectorSplat(static_cast<unsigned>(lanes_), apart),
                                 b.CreateStepVector(widen(b.getInt64Ty())));
    Value* where = b.CreateGEP(part, b.CreateGEP(part, base, first), offsets);
    return gather(part, where, align, mask);
  };
  Element e{load_part(0), pair ? load_part(1) : nullptr};
  if (t == DType::kBool) e.re = b.CreateICmpNE(e.re, llvm::Constant::getNullValue(e.re->getType()));
  return e;
}

void ElementEmitter::store(DType t, const Element& e, Value* base, Value* index, Value* mask,
                           bool aligned) {
  llvm::Type* part = memory_type(t);
  const llvm::Align align(static_cast<uint64_t>(part->getScalarSizeInBits() / 8));
  Value* re = t == DType::kBool ? b.CreateZExt(e.re, widen(part)) : e.re;
  if (!is_complex(t)) {
    Value* at = b.CreateGEP(part, base, index);
    if (mask)
      b.CreateMaskedStore(re, at, align, mask);
    else
      b.CreateAlignedStore(re, at, align);
    return;
  }
  for (int which = 0; which < 2; ++which) {
    Value* first = b.CreateAdd(b.CreateShl(index, 1), b.getInt64(static_cast<uint64_t>(which)));
    Value* at = b.CreateGEP(part, base, first);
    Value* v = which ? e.im : re;
    if (lanes_ == 1) {
      b.CreateAlignedStore(v, at, which == 0 && aligned ? llvm::Align(2 * align.value()) : align);
      continue;
    }
    Value* offsets = b.CreateShl(b.CreateStepVector(widen(b.getInt64Ty())), 1);
    b.CreateMaskedScatter(v, b.CreateGEP(part, at, offsets), align, mask);
  }
}

Element ElementEmitter::from_parameter(DType t, Value* memory) {
  auto spread = [&](Value* v) -> Value* {
    return lanes_ == 1 ? v : b.CreateVectorSplat(static_cast<unsigned>(lanes_), v);
  };
  if (is_complex(t))
    return {spread(b.CreateExtractValue(memory, 0)), spread(b.CreateExtractValue(memory, 1))};
  if (t == DType::kBool) return {spread(b.CreateICmpNE(memory, b.getInt8(0)))};
  return {spread(memory)};
}

// Processors round float to half directly, but double only by way of float, which may round twice.
// A float rounded to odd, whose last bit records inexactness, rounds to the same half as the double
// itself.
Value* ElementEmitter::odd_float(Value* wide) {
  llvm::Type* bits = widen(b.getInt32Ty());
  Value* near = b.CreateFPTrunc(wide, widen(b.getFloatTy()));
  Value* back = b.CreateFPExt(near, wide->getType());
  Value* raw = b.CreateBitCast(near, bits);
  Value* beyond = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                                  b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, wide));
  raw = b.CreateSub(raw, b.CreateZExt(beyond, bits));
  raw = b.CreateOr(raw, b.CreateZExt(b.CreateFCmpUNE(back, wide), bits));
  return b.CreateBitCast(raw, near->getType());
}

Element ElementEmitter::cast(const Element& e, DType from, DType to) {
  if (from == to) return e;
  if (is_bits(from)) return cast(widened(e, from), DType::kFloat32, to);
  if (is_bits(to)) return narrowed({float_before({e.re}, real_dtype(from))}, to);
  if (is_complex(from) && is_complex(to)) {
    llvm::Type* type = part_type(to);
    return {b.CreateFPCast(e.re, type), b.CreateFPCast(e.im, type)};
  }
  if (to == DType::kBool) {
    if (!e.re->getType()->isFPOrFPVectorTy())
      return {b.CreateICmpNE(e.re, llvm::Constant::getNullValue(e.re->getType()))};
    Value* zero = llvm::Constant::getNullValue(e.re->getType());
    Value* truth = b.CreateFCmpUNE(e.re, zero);
    return {e.im ? b.CreateOr(truth, b.CreateFCmpUNE(e.im, zero)) : truth};
  }
  if (is_complex(from)) return cast({e.re}, real_dtype(from), to);
  if (is_complex(to)) {
    Element re = cast(e, from, real_dtype(to));
    return {re.re, select_zero(real_dtype(to))};
  }
  llvm::Type* type = part_type(to);
  const bool from_signed = kind_of(from) == DTypeKind::kInt;
  if (is_floating(from)) {
    if (from == DType::kFloat64 && to == DType::kFloat16)
      return {b.CreateFPCast(odd_float(e.re), type)};
    if (is_floating(to)) return {b.CreateFPCast(e.re, type)};
    // Values out of range saturate at the 32- or 64-bit integer, then wrap to the requested width.
    const bool narrow = size_of(to) < 4 || to == DType::kInt32;
    const bool huge = to == DType::kUInt64;
    llvm::Type* wide = widen(narrow ? b.getInt32Ty() : b.getInt64Ty());
    Value* v = b.CreateIntrinsic(huge ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat,
                                 {wide, e.re->getType()}, {e.re});
    return {b.CreateIntCast(v, type, true)};
  }
  if (is_floating(to)) {
    // By way of float, because a direct conversion to half has no vector form.
    llvm::Type* through = to == DType::kFloat16 ? widen(b.getFloatTy()) : type;
    Value* v = from_signed ? b.CreateSIToFP(e.re, through) : b.CreateUIToFP(e.re, through);
    return {b.CreateFPCast(v, type)};
  }
  return {b.CreateIntCast(e.re, type, from_signed)};
}

}  // namespace hither::array
