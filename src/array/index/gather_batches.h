// Reads along the last axis of which CPUs check and read many indices together.
#pragma once

#include "array/index/gather.h"
#include "array/index/walk.h"

namespace hither::array {

/// Whether gather_batches() is for a read of `count` indices of each outer element.
bool takes_batches(int64_t count) noexcept;

/// Evaluates a read of the elements of a checked axis that no other axis of x follows. An item
/// checks a batch of indices by vectors, and corrects them only if one is negative or out of range.
/// `own`: GatherShape::own_indices; `indices`: of any integer dtype, `count` for each outer
/// element.
void gather_batches(Value& result, const Operated& x, const Walk& outer, Value& indices,
                    int64_t count, bool own, const CheckedAxis& axis);

}  // namespace hither::array
