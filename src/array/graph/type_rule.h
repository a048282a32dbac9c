// Which dtypes an operation takes, in which dtype it computes, and which it returns.
#pragma once

#include <span>

#include <hither/ops.h>

namespace hither::array {

enum class TypeRule : uint8_t {
  kArithmetic,   ///< any dtype, and the same result
  kNumeric,      ///< any but bool
  kRealNumeric,  ///< integers and floats; bool computes in int8
  kPower,        ///< any; bool computes in int8
  kTrueDivide,   ///< floats and complex; integers compute in float64
  kFloat,        ///< floats and complex; integers in the float that holds them (NumPy's rule)
  kRealFloat,    ///< as kFloat, complex refused
  kAbsolute,     ///< any; complex gives its real dtype
  kRounding,     ///< real; integers and bool unchanged
  kRealOrBool,   ///< any but complex
  kEquality,     ///< any, result bool
  kOrder,        ///< any but complex, result bool
  kLogical,      ///< any, computed as truth values
  kBitwise,      ///< bool and integers
  kShift,        ///< integers; bool computes in int8
  kPredicate,    ///< any, result bool
  kSignBit,      ///< real, result bool
  kWhere,        ///< bool, then two operands of any dtype
};

struct OpTypes {
  DType compute;  ///< operands are cast to it (of kWhere: the second and third)
  DType result;
};

/// Types of `op` for operands whose promoted dtype is `promoted`. Error kType names op and dtype.
OpTypes types_of(Op op, DType promoted);
TypeRule rule_of(Op op) noexcept;

/// Promotes operands as NumPy 2 does: weak scalars adapt to the arrays' dtype, kind permitting.
/// Skips the first operand of kWhere.
DType promote_operands(Op op, std::span<const Operand> operands);

}  // namespace hither::array
