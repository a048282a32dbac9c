// User-defined element-wise operations, reductions and scans.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hither/array.h>
#include <hither/reduce.h>
#include <hither/scan.h>

namespace hither {

namespace array {
struct UserFunction;
}

/// A function of 1 to 3 scalars as LLVM IR, textual or bitcode: `T symbol(T0, T1, ...)`, where bool
/// is i8 and complex numbers are pairs `{float, float}`, `{double, double}`. It may call the
/// functions that kernels may call, and accesses no memory. All names that `code` defines are the
/// program's own.
struct UserOpSource {
  std::string name;  ///< for messages and the kernel history
  std::string symbol;
  std::vector<std::string> code;
  std::vector<DType> operands;
  DType result = DType::kFloat64;
};

/// An operation as lazy as those of ops.h: it fuses with them into one kernel. Copies share it.
/// Thread-safe.
class HITHER_EXPORT UserOp {
 public:
  /// Error kValue unless there are 1 to 3 operands.
  explicit UserOp(UserOpSource source);
  const UserOpSource& source() const noexcept;
  const std::shared_ptr<const array::UserFunction>& function() const noexcept { return function_; }

 private:
  std::shared_ptr<const array::UserFunction> function_;
};

/// Applies the operation element by element; operands broadcast and are cast to its dtypes. At
/// least one operand is an array. Errors as for apply() in ops.h. If the code cannot be compiled,
/// the error occurs when the result is computed.
HITHER_EXPORT Array apply(const UserOp& op, std::span<const Operand> operands,
                          const Queue* queue = nullptr);

/// A reduction, or a scan, by a user-defined operation of two operands of one dtype. It accumulates
/// in that dtype: results of the operation are cast to it. Copies share it. Thread-safe.
class HITHER_EXPORT UserReduction {
 public:
  /// `op` is associative, for reductions also commutative, and op(identity, x) is x: elements are
  /// combined along a fixed tree, and the identity takes part any number of times. Error kType
  /// unless op has two operands of one dtype that its result can be cast to (same_kind) and that
  /// holds the identity; kOverflow for an integer that does not fit.
  UserReduction(const UserOp& op, const Scalar& identity);
  const UserOpSource& source() const noexcept;
  const Scalar& identity() const noexcept { return identity_; }
  const std::shared_ptr<const array::UserFunction>& function() const noexcept { return function_; }

 private:
  std::shared_ptr<const array::UserFunction> function_;
  Scalar identity_;
};

/// Reduces x, as reduce() in reduce.h does; elements are cast to the operation's dtype. The dtype
/// of the options is that of the result, and by default the operation's. No elements give the
/// identity. Errors as there, and as for apply().
HITHER_EXPORT Array reduce(const UserReduction& reduction, const Array& x,
                           const ReduceOptions& options = {}, const Queue* queue = nullptr);

/// Element i of the result combines the elements 0 to i of x along the axis, in order. Options and
/// errors are those of cumulative_sum(), and as above.
HITHER_EXPORT Array scan(const UserReduction& reduction, const Array& x,
                         const ScanOptions& options = {}, const Queue* queue = nullptr);

}  // namespace hither
