// Sorts by kernels, for devices whose memory the host cannot access.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// Sorts the rows of `x`, of `length` elements in C order, into `value`, which has memory: the
/// elements, or their stable order if `value` has another dtype's indices (`indices`). Sets
/// value.written. Under the graph lock. Throws WaitFirst; Error kUnsupported for indices of rows of
/// 2^32 elements or more.
void sort_by_kernels(Value& value, const Operated& x, int64_t length, bool descending,
                     bool indices);

}  // namespace hither::array
