// What a mask keeps: counted first, then gathered.
#pragma once

#include "array/graph/value.h"
#include "array/placed.h"

namespace hither::array {

/// The elements of `x` (null: their C-order positions, as int64) where `mask` is true, along one
/// axis. Both are ready, dense and of one size, `mask` bool. Waits for them, so not under a graph
/// lock.
ValueRef compress(Value& mask, Value* x, const Placed& placed);

}  // namespace hither::array
