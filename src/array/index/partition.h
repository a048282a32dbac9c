// Scatters in which several indices may name one element, on devices with few work-items.
#pragma once

#include "array/index/gather.h"

namespace hither::array {

/// Whether run_partition() is for such a scatter of `count` elements: it is faster than one item
/// that processes all indices.
bool takes_partition(const Device& device, const GatherShape& shape, DType dtype, int64_t count);

/// Stores values[i] at x[offsets[i]], or what is there combined with values[i], in the order of
/// the indices. The indices are first sorted by parts of the slots, stably: the results are those
/// of one item that processes all. Then an item has the indices of a part. `x`: element 0 of the
/// array that is written; the first launch waits for `after`. `scalar`: there is one value. Under
/// the graph lock. Returns nothing if there is no memory for the sorted indices.
std::optional<Event> run_partition(Value& target, char* x, DType dtype, const GatherShape& shape,
                                   Value& offsets, Value& values, bool scalar,
                                   std::optional<Reduction> combine, std::span<const Event> after);

}  // namespace hither::array
