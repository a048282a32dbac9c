// Arithmetic of a recorded function's numbers without Python objects.
#pragma once

#include <optional>
#include <vector>

#include <hither/array.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Computes the numbers of a run with the values that Python would give them: ints have at most 64
/// bits, and floats are doubles. Immutable.
class Arithmetic {
 public:
  /// `steps` are tuples (operator, left, right), each of which computes the next number of a run.
  /// The operands are indices of numbers of the run; from `all` on, they are the constants.
  /// Nothing if there is an operator or a constant that only Python computes with.
  static std::optional<Arithmetic> of(nb::list steps, nb::list constants, size_t all);

  /// Appends the numbers that follow from those which the run receives. False where only Python
  /// knows a value: of integers that need more than 64 bits, of quotients of integers that are no
  /// doubles, of powers of integers and of bases that are not positive, of powers that are no
  /// normal numbers, and where Python raises an error.
  bool run(std::vector<Scalar>& numbers) const;

 private:
  enum class Operator : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kPower };
  struct Step {
    Operator operation;
    size_t left, right;
  };
  static std::optional<Scalar> computed(Operator operation, const Scalar& a, const Scalar& b);

  std::vector<Step> steps_;
  std::vector<Scalar> constants_;
  size_t all_ = 0;  ///< count of the run's numbers
};

}  // namespace hither::python
