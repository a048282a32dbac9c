// Selection of elements by a mask.
#pragma once

#include "array/graph/value.h"
#include "array/placed.h"

namespace hither::array {

/// The elements of `x` where `mask` is true, along one axis; with `x` null, their C-order positions
/// as int64. Both are ready, dense and of one size, and `mask` is bool. Blocks, so the caller must
/// not hold a graph lock.
ValueRef compress(Value& mask, Value* x, const Placed& placed);

/// The first element of `x` in each run; with `x` null, its position as int64. `numbers` are those
/// of the elements' runs: int32 or int64 from 0 to count - 1, in order. Both are ready, dense and
/// of one size.
ValueRef first_of_runs(Value& numbers, int64_t count, Value* x, const Placed& placed);

}  // namespace hither::array
