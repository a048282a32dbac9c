#include "array/emit/combine.h"

#include <cmath>
#include <cstring>

#include "array/form/user_function.h"

namespace hither::array {

using llvm::Value;

Element Combiner::prepare(ElementEmitter& e, const Element& x, DType from) const {
  if (traits_of(r_).rule == ReductionRule::kCount)
    return e.cast(e.cast(x, from, DType::kBool), DType::kBool, dtype_);
  return e.cast(x, from, dtype_);
}

Element Combiner::user_identity(ElementEmitter& e) const {
  const DType part = real_dtype(dtype_);
  llvm::Type* type = e.part_type(part);
  const unsigned bits = type->getScalarSizeInBits();
  auto constant = [&](int index) -> Value* {
    uint64_t raw = 0;
    std::memcpy(&raw, user_->identity + index * size_of(part), static_cast<size_t>(size_of(part)));
    const llvm::APInt value(bits, raw);
    if (!is_floating(part)) return llvm::ConstantInt::get(type, value);
    return llvm::ConstantFP::get(type,
                                 llvm::APFloat(type->getScalarType()->getFltSemantics(), value));
  };
  return {constant(0), is_complex(dtype_) ? constant(1) : nullptr};
}

Element Combiner::identity_value(ElementEmitter& e) const {
  if (user_) return user_identity(e);
  const DType part = real_dtype(dtype_);
  const bool is_float = is_floating(part);
  const auto bits = static_cast<unsigned>(size_of(dtype_)) * 8;
  llvm::Type* type = e.part_type(part);
  auto integer = [&](const llvm::APInt& v) -> Element { return {llvm::ConstantInt::get(type, v)}; };
  const bool is_signed = kind_of(dtype_) == DTypeKind::kInt;
  switch (combination()) {
    case Combination::kAdd: {
      Value* zero = e.select_zero(part);
      return {zero, is_complex(dtype_) ? zero : nullptr};
    }
    case Combination::kMultiply:
      return {e.constant(part, 1), is_complex(dtype_) ? e.select_zero(part) : nullptr};
    case Combination::kAnd:
      return {llvm::ConstantInt::getTrue(type)};
    case Combination::kSmaller:
      if (dtype_ == DType::kBool) return {llvm::ConstantInt::getTrue(type)};
      if (is_float) return {e.constant(part, HUGE_VAL)};
      return integer(is_signed ? llvm::APInt::getSignedMaxValue(bits)
                               : llvm::APInt::getMaxValue(bits));
    case Combination::kLarger:
      if (dtype_ == DType::kBool) return {e.select_zero(part)};
      if (is_float) return {e.constant(part, -HUGE_VAL)};
      return integer(is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0));
    case Combination::kOr:
    case Combination::kComposed:
      break;
  }
  return {e.select_zero(part)};
}

Running Combiner::identity(ElementEmitter& e, Value* index) const {
  return {identity_value(e), with_index() ? index : nullptr};
}

Running Combiner::first(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x) const {
  const bool may_be_minus_zero =
      combination() == Combination::kAdd && is_floating(real_dtype(dtype_));
  return may_be_minus_zero || user_ ? in_order(b, e, identity(e, nullptr), x) : x;
}

// Whether y replaces x: y is smaller (larger), or is the first NaN.
Value* Combiner::better(llvm::IRBuilder<>& b, const Element& x, const Element& y) const {
  const bool larger = combination() == Combination::kLarger;
  if (is_floating(dtype_)) {
    Value* beyond = larger ? b.CreateFCmpUGT(y.re, x.re) : b.CreateFCmpULT(y.re, x.re);
    return b.CreateAnd(beyond, b.CreateFCmpORD(x.re, x.re));
  }
  const bool is_signed = kind_of(dtype_) == DTypeKind::kInt;
  if (larger) return is_signed ? b.CreateICmpSGT(y.re, x.re) : b.CreateICmpUGT(y.re, x.re);
  return is_signed ? b.CreateICmpSLT(y.re, x.re) : b.CreateICmpULT(y.re, x.re);
}

Running Combiner::in_order(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x,
                           const Running& y) const {
  const Element both[2] = {x.value, y.value};
  if (user_) return {e.cast(e.apply(*user_, both), user_->source.result, dtype_)};
  switch (combination()) {
    case Combination::kAdd:
      return {e.apply(Op::add, dtype_, both)};
    case Combination::kMultiply:
      return {e.apply(Op::multiply, dtype_, both)};
    case Combination::kOr:
      return {{b.CreateOr(x.value.re, y.value.re)}};
    case Combination::kAnd:
      return {{b.CreateAnd(x.value.re, y.value.re)}};
    case Combination::kSmaller:
    case Combination::kLarger:
    case Combination::kComposed:
      break;
  }
  Value* replaces = better(b, x.value, y.value);
  Running result{{b.CreateSelect(replaces, y.value.re, x.value.re)}};
  if (with_index()) result.index = b.CreateSelect(replaces, y.index, x.index);
  return result;
}

Running Combiner::any_order(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x,
                            const Running& y) const {
  if (!with_index()) return in_order(b, e, x, y);
  Value* forward = better(b, x.value, y.value);
  Value* equal = b.CreateNot(b.CreateOr(forward, better(b, y.value, x.value)));
  Value* replaces = b.CreateOr(forward, b.CreateAnd(equal, b.CreateICmpSLT(y.index, x.index)));
  return {{b.CreateSelect(replaces, y.value.re, x.value.re)},
          b.CreateSelect(replaces, y.index, x.index)};
}

Running Combiner::fold(llvm::IRBuilder<>& b, const Running& x, int lanes, int keep) const {
  auto part = [&](Value* v, int from, int count) -> Value* {
    if (!v) return nullptr;
    if (count == 1) return b.CreateExtractElement(v, static_cast<uint64_t>(from));
    llvm::SmallVector<int, 64> mask;
    for (int i = 0; i < count; ++i) mask.push_back(from + i);
    return b.CreateShuffleVector(v, mask);
  };
  auto piece = [&](const Running& r, int from, int count) -> Running {
    return {{part(r.value.re, from, count), part(r.value.im, from, count)},
            part(r.index, from, count)};
  };
  Running result = x;
  for (; lanes > keep; lanes /= 2) {
    ElementEmitter half(b, lanes / 2);
    result = any_order(b, half, piece(result, 0, lanes / 2), piece(result, lanes / 2, lanes / 2));
  }
  return result;
}

Element combined(llvm::IRBuilder<>& b, ElementEmitter& e, Reduction r, DType t, const Element& old,
                 const Element& added) {
  const DType wide = wide_dtype(t);
  const Combiner combiner(Accumulation{r, wide});
  const Running both =
      combiner.in_order(b, e, {combiner.prepare(e, old, t)}, {combiner.prepare(e, added, t)});
  return e.cast(both.value, wide, t);
}

}  // namespace hither::array
