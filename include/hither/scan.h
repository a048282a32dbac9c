// Lazy prefix scans along an axis.
#pragma once

#include <optional>

#include <hither/array.h>
#include <hither/reduce.h>

namespace hither {

struct ScanOptions {
  /// Negative axes count from the end. Optional for 1-D arrays.
  std::optional<int64_t> axis;
  /// The dtype of computation and result; default: that of sum() and prod().
  std::optional<DType> dtype;
  /// The result starts with the sum (product) of no elements, so the axis is one element longer.
  bool include_initial = false;
};

/// Element i of the result is the sum of the elements 0 to i of x along the axis. Floats accumulate
/// in their dtype (float16 in float32) along a tree that depends only on shape, dtype and axis;
/// sums of nonnegative elements never decrease. `queue` replaces the queue of x. Errors: kIndex for
/// the axis, kValue if a needed axis is missing, kType for dtypes.
HITHER_EXPORT Array cumulative_sum(const Array& x, const ScanOptions& options = {},
                                   const Queue* queue = nullptr);
/// The same for products.
HITHER_EXPORT Array cumulative_prod(const Array& x, const ScanOptions& options = {},
                                    const Queue* queue = nullptr);

/// Element i of the result is the reduction of the elements 0 to i of x along the axis: kMin or
/// kMax, in which the first NaN wins, in x's dtype, or kAny or kAll, in bool. Errors: kIndex for
/// the axis, kValue for other reductions, kType for complex numbers, which have no order.
HITHER_EXPORT Array accumulate(Reduction r, const Array& x, int64_t axis,
                               const Queue* queue = nullptr);

/// x[1:] - x[:-1] along an axis, applied `times` times. `prepend` and `append` are first joined to
/// x. Errors: kIndex for the axis, kValue for times < 0 and shapes.
HITHER_EXPORT Array diff(const Array& x, int64_t axis = -1, int64_t times = 1,
                         const Array* prepend = nullptr, const Array* append = nullptr,
                         const Queue* queue = nullptr);

}  // namespace hither
