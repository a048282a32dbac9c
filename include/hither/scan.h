// Running results along an axis, lazy.
#pragma once

#include <optional>

#include <hither/array.h>

namespace hither {

struct ScanOptions {
  /// Negative from the end; may be left out for arrays of one dimension.
  std::optional<int64_t> axis;
  /// The dtype to compute and return; without it that of sum() and prod().
  std::optional<DType> dtype;
  /// The result starts with the sum (product) of nothing, so the axis has one element more.
  bool include_initial = false;
};

/// Element i of the result is the sum of the elements 0 to i of x along the axis. Floats accumulate
/// in their dtype (float16 in float32) along a tree that shape, dtype and axis fix; sums of what is
/// not negative never fall. `queue`: run there instead of where x is. Errors: kIndex for the axis,
/// kValue when it is needed and left out, kType for dtypes.
HITHER_EXPORT Array cumulative_sum(const Array& x, const ScanOptions& options = {},
                                   const Queue* queue = nullptr);
/// The same of products.
HITHER_EXPORT Array cumulative_prod(const Array& x, const ScanOptions& options = {},
                                    const Queue* queue = nullptr);

/// x[1:] - x[:-1] along an axis, `times` times over; what `prepend` and `append` hold stands before
/// and after x first. Errors: kIndex for the axis, kValue for times < 0 and shapes.
HITHER_EXPORT Array diff(const Array& x, int64_t axis = -1, int64_t times = 1,
                         const Array* prepend = nullptr, const Array* append = nullptr,
                         const Queue* queue = nullptr);

}  // namespace hither
