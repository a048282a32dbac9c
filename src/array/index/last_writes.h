// Scatters of narrow elements in which several indices may name one element and the last one wins.
#pragma once

#include "array/index/gather.h"

namespace hither::array {

/// Whether run_last_writes() is for such a scatter of `count` elements through offsets of their
/// own, and faster than a table of claims.
bool takes_last_writes(const GatherShape& shape, DType dtype, int64_t count);

/// Stores values[i] at x[offsets[i]], in the order of the indices. Every index writes its number
/// and its element to a table of one 64-bit word a slot, as one atomic maximum; then each slot
/// takes the element of its word. Under the graph lock. `x`: element 0 of the array that is
/// written; the last launch waits for `after`. Returns nothing if there is no memory for the
/// table.
std::optional<Event> run_last_writes(Value& target, char* x, DType dtype, const GatherShape& shape,
                                     Value& offsets, Value& values, std::span<const Event> after);

}  // namespace hither::array
