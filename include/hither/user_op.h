// User-defined element-wise operations.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hither/array.h>

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

}  // namespace hither
