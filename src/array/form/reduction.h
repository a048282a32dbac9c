// Which reduction, and the dtype that it accumulates in.
#pragma once

#include <hither/dtype.h>
#include <hither/reduce.h>

namespace hither::array {

/// One reduction (any but mean, var and std), accumulating in `dtype`.
struct Accumulation {
  Reduction reduction;
  DType dtype;

  bool with_index() const noexcept {
    return reduction == Reduction::kArgMin || reduction == Reduction::kArgMax;
  }
  bool operator==(const Accumulation&) const = default;
};

/// Lanes of the vectors that accumulate, where items have vectors: a part of the order of
/// operations.
int accumulator_width(DType accumulator, bool with_index) noexcept;

}  // namespace hither::array
