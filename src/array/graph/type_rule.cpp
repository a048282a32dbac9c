#include "array/graph/type_rule.h"

#include <fmt/format.h>

namespace hither::array {

namespace {

constexpr OpInfo kInfo[] = {
#define HITHER_OP(name, arity, rule, cost, doc) {#name, arity, doc},
#include <hither/op_table.def>
#undef HITHER_OP
};

constexpr TypeRule kRules[] = {
#define HITHER_OP(name, arity, rule, cost, doc) TypeRule::rule,
#include <hither/op_table.def>
#undef HITHER_OP
};

[[noreturn]] void refuse(Op op, DType t, std::string_view takes) {
  throw Error(ErrorKind::kType, std::string(info_of(op).name),
              fmt::format("dtype {} is not supported: this function takes {}", name_of(t), takes));
}

// The float dtype in which NumPy computes mathematical functions of integers.
DType float_for(DType t) { return t == DType::kBFloat16 ? t : promote(t, DType::kFloat16); }

DType not_bool(DType t) { return t == DType::kBool ? DType::kInt8 : t; }

// Rank of a dtype's kind for weak scalars: bool < integer < float < complex.
int rank_of(DType t) {
  switch (kind_of(t)) {
    case DTypeKind::kBool:
      return 0;
    case DTypeKind::kInt:
    case DTypeKind::kUInt:
      return 1;
    case DTypeKind::kFloat:
      return 2;
    default:
      return 3;
  }
}

DType adapt_weak(DType arrays, DType weak_default) {
  if (rank_of(weak_default) <= rank_of(arrays)) return arrays;
  if (rank_of(weak_default) == 3)
    return wide_dtype(arrays) == DType::kFloat32 ? DType::kComplex64 : DType::kComplex128;
  return weak_default;  // bool with int: int64; bool or integer with float: float64
}

OpTypes real_types(Op op, DType t, OpTypes types, std::string_view takes) {
  if (is_complex(t)) refuse(op, t, takes);
  return types;
}

}  // namespace

OpTypes types_of(Op op, DType t) {
  const bool integral = t == DType::kBool || is_integer(t);
  switch (rule_of(op)) {
    case TypeRule::kNumeric:
      if (t == DType::kBool) refuse(op, t, "numbers; use logical_xor or logical_not for bool");
      return {t, t};
    case TypeRule::kRealNumeric:
      return real_types(op, t, {not_bool(t), not_bool(t)}, "real numbers");
    case TypeRule::kPower:
      return {not_bool(t), not_bool(t)};
    case TypeRule::kTrueDivide:
      return integral ? OpTypes{DType::kFloat64, DType::kFloat64} : OpTypes{t, t};
    case TypeRule::kRealFloat:
      return real_types(op, t, {float_for(t), float_for(t)}, "real numbers");
    case TypeRule::kFloat:
      return {float_for(t), float_for(t)};
    case TypeRule::kAbsolute:
      return {t, real_dtype(t)};
    case TypeRule::kRounding:
      return real_types(op, t, {t, t}, "real numbers");
    case TypeRule::kRealOrBool:
      return real_types(op, t, {t, t}, "real numbers, which have an order");
    case TypeRule::kSignBit:
      return real_types(op, t, {t, DType::kBool}, "real numbers");
    case TypeRule::kOrder:
    case TypeRule::kEquality:
    case TypeRule::kPredicate:
      return {t, DType::kBool};
    case TypeRule::kLogical:
      return {DType::kBool, DType::kBool};
    case TypeRule::kBitwise:
      if (!integral) refuse(op, t, "bool and integers");
      return {t, t};
    case TypeRule::kShift:
      if (!integral) refuse(op, t, "integers");
      return {not_bool(t), not_bool(t)};
    case TypeRule::kArithmetic:
    case TypeRule::kWhere:
      break;
  }
  return {t, t};
}

TypeRule rule_of(Op op) noexcept { return kRules[static_cast<int>(op)]; }

DType promote_operands(Op op, std::span<const Operand> operands) {
  const size_t first = rule_of(op) == TypeRule::kWhere ? 1 : 0;
  std::optional<DType> strong, weak;
  for (size_t i = first; i < operands.size(); ++i) {
    const Operand& o = operands[i];
    const DType t = o.is_array() ? o.array().dtype() : o.scalar().dtype();
    if (first == 0) require_arithmetic(info_of(op).name, t);
    std::optional<DType>& into = o.is_array() || !o.scalar().is_weak() ? strong : weak;
    into = into ? promote(*into, t) : t;
  }
  if (!strong) return *weak;
  return weak ? adapt_weak(*strong, *weak) : *strong;
}

}  // namespace hither::array

namespace hither {

const OpInfo& info_of(Op op) noexcept { return array::kInfo[static_cast<int>(op)]; }

DType result_dtype(Op op, std::span<const DType> operands) {
  const size_t first = array::rule_of(op) == array::TypeRule::kWhere ? 1 : 0;
  DType t = operands[first];
  if (first == 0)
    for (DType operand : operands) require_arithmetic(info_of(op).name, operand);
  for (size_t i = first + 1; i < operands.size(); ++i) t = promote(t, operands[i]);
  return array::types_of(op, t).result;
}

}  // namespace hither
