// Sorting along an axis.
#pragma once

#include <hither/array.h>

namespace hither {

struct SortOptions {
  int64_t axis = -1;  ///< negative axes count from the end
  bool descending = false;
};

/// The elements of x in order along an axis. NaNs come last, in both directions. Complex elements
/// are ordered by their real parts, then by their imaginary parts; those with a NaN in one part
/// come before those with two. -0.0 and 0.0 are equal in order. Lazy. The result has x's shape and
/// dtype. `queue` replaces the queue of x. Errors: kIndex for the axis, kPlacement.
HITHER_EXPORT Array sort(const Array& x, const SortOptions& options = {},
                         const Queue* queue = nullptr);

/// The int64 indices along an axis that put x in this order. Stable: equal elements keep their
/// order, in both directions. Lazy. Errors as for sort().
HITHER_EXPORT Array argsort(const Array& x, const SortOptions& options = {},
                            const Queue* queue = nullptr);

}  // namespace hither
