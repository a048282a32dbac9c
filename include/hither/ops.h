// Element-wise functions and operators over arrays. They are lazy, and broadcast and promote as in
// NumPy.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <hither/array.h>

namespace hither {

/// Every element-wise operation; op_table.def lists name, arity, type rule and one line of
/// documentation for each.
enum class Op : uint8_t {
#define HITHER_OP(name, arity, rule, cost, doc) name,
#include <hither/op_table.def>
#undef HITHER_OP
  kCount
};

struct OpInfo {
  std::string_view name;
  int arity;
  std::string_view doc;
};
/// The row of `op`; the name is the function's, without a trailing underscore.
HITHER_EXPORT const OpInfo& info_of(Op op) noexcept;

/// Applies `op` to its operands, at least one of which is an array. `queue` replaces the queue of
/// the arguments (the placement rules apply). Errors: kType for dtypes that the operation does not
/// support, kValue for shapes that do not broadcast, kPlacement.
HITHER_EXPORT Array apply(Op op, std::span<const Operand> operands, const Queue* queue = nullptr);
/// The dtype of the result for these operand dtypes; Error kType if the operation does not support
/// them.
HITHER_EXPORT DType result_dtype(Op op, std::span<const DType> operands);

#define HITHER_FUNCTION_1(name) \
  inline Array name(const Operand& x) { return apply(Op::name, std::span(&x, 1)); }
#define HITHER_FUNCTION_2(name)                             \
  inline Array name(const Operand& x1, const Operand& x2) { \
    const Operand operands[] = {x1, x2};                    \
    return apply(Op::name, operands);                       \
  }
#define HITHER_FUNCTION_3(name)                                                \
  inline Array name(const Operand& x1, const Operand& x2, const Operand& x3) { \
    const Operand operands[] = {x1, x2, x3};                                   \
    return apply(Op::name, operands);                                          \
  }
#define HITHER_OP(name, arity, rule, cost, doc) HITHER_FUNCTION_##arity(name)
#include <hither/op_table.def>
#undef HITHER_OP
#undef HITHER_FUNCTION_1
#undef HITHER_FUNCTION_2
#undef HITHER_FUNCTION_3

/// minimum(maximum(x, low), high); NaN where x is NaN.
HITHER_EXPORT Array clip(const Array& x, const std::optional<Operand>& low,
                         const std::optional<Operand>& high);

inline Array operator+(const Array& a, const Operand& b) { return add(a, b); }
inline Array operator-(const Array& a, const Operand& b) { return subtract(a, b); }
inline Array operator*(const Array& a, const Operand& b) { return multiply(a, b); }
inline Array operator/(const Array& a, const Operand& b) { return divide(a, b); }
inline Array operator+(const Scalar& a, const Array& b) { return add(a, b); }
inline Array operator-(const Scalar& a, const Array& b) { return subtract(a, b); }
inline Array operator*(const Scalar& a, const Array& b) { return multiply(a, b); }
inline Array operator/(const Scalar& a, const Array& b) { return divide(a, b); }
inline Array operator-(const Array& a) { return negative(a); }
inline Array operator<(const Array& a, const Operand& b) { return less(a, b); }
inline Array operator<=(const Array& a, const Operand& b) { return less_equal(a, b); }
inline Array operator>(const Array& a, const Operand& b) { return greater(a, b); }
inline Array operator>=(const Array& a, const Operand& b) { return greater_equal(a, b); }
inline Array operator==(const Array& a, const Operand& b) { return equal(a, b); }
inline Array operator!=(const Array& a, const Operand& b) { return not_equal(a, b); }
inline Array operator&(const Array& a, const Operand& b) { return bitwise_and(a, b); }
inline Array operator|(const Array& a, const Operand& b) { return bitwise_or(a, b); }
inline Array operator^(const Array& a, const Operand& b) { return bitwise_xor(a, b); }
inline Array operator~(const Array& a) { return bitwise_invert(a); }

}  // namespace hither
