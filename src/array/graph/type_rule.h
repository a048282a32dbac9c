// Type rules of the operations: accepted dtypes, compute dtype and result dtype.
#pragma once

#include <span>

#include <hither/ops.h>

namespace hither::array {

enum class TypeRule : uint8_t {
  kArithmetic,   ///< any dtype; the result has the same
  kNumeric,      ///< any dtype except bool
  kRealNumeric,  ///< integers and floats; bool computes in int8
  kPower,        ///< any dtype; bool computes in int8
  kTrueDivide,   ///< floats and complex; integers compute in float64
  kFloat,        ///< floats and complex; integers use the float dtype that NumPy chooses
  kRealFloat,    ///< as kFloat, without complex
  kAbsolute,     ///< any dtype; complex gives its real dtype
  kRounding,     ///< real; integers and bool unchanged
  kRealOrBool,   ///< any dtype except complex
  kEquality,     ///< any dtype; the result is bool
  kOrder,        ///< any dtype except complex; the result is bool
  kLogical,      ///< any dtype, converted to bool
  kBitwise,      ///< bool and integers
  kShift,        ///< integers; bool computes in int8
  kPredicate,    ///< any dtype; the result is bool
  kSignBit,      ///< real dtypes; the result is bool
  kWhere,        ///< bool, then two operands of any dtype
};

struct OpTypes {
  DType compute;  ///< operands are cast to it (kWhere: the second and third)
  DType result;
};

/// Types of `op` for operands whose promoted dtype is `promoted`. Error kType names op and dtype.
OpTypes types_of(Op op, DType promoted);
TypeRule rule_of(Op op) noexcept;

/// Promotes operands as NumPy 2 does. Weak scalars adapt to the arrays' dtype where their kind
/// permits it. Skips the first operand of kWhere.
DType promote_operands(Op op, std::span<const Operand> operands);

}  // namespace hither::array
