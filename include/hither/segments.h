// Reductions of segments of an axis.
#pragma once

#include <optional>

#include <hither/array.h>
#include <hither/reduce.h>

namespace hither {

/// The reductions (kSum, kProd, kMin, kMax; kAny and kAll of bool) of the elements begins[s],
/// begins[s] + 1, ..., ends[s] - 1 along the first axis of x, for each segment s. A segment with no
/// elements gives the identity. The result has begins.size() in place of the first extent, and the
/// dtype of x or `dtype`. Elements are combined in order by one item for each segment, so that
/// callers divide long segments. The indices are not checked. Lazy. Errors: kValue for shapes,
/// kPlacement.
HITHER_EXPORT Array segment_reduce(Reduction r, const Array& x, const Array& begins,
                                   const Array& ends, std::optional<DType> dtype = std::nullopt,
                                   const Queue* queue = nullptr);

}  // namespace hither
