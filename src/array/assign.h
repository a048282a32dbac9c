// Checks and preparation for writing into existing array memory.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// Where an element is, relative to element 0. `index` has an entry for each axis; negative ones
/// count from the end. Error kIndex if one is out of bounds.
int64_t element_offset(const Layout& layout, std::span<const int64_t> index);

/// Error kValue when the destination is read-only or repeats elements.
void check_destination(const Array& destination);

/// `value` without the leading axes of extent 1 by which it exceeds `rank`; NumPy accepts such
/// values.
Array without_leading_ones(const Array& value, int rank);

/// `s` converted to `dtype` as in a store: a float becomes an integer by truncation, as in NumPy.
/// Error kOverflow when it does not fit.
Scalar stored_scalar(const Scalar& s, DType dtype);

/// Returns a value that may be written in place of `target`, the ready value of the destination's
/// storage. This is `target` itself if it has escaped, or if only the storage, the caller and
/// `known - 1` others refer to it. Otherwise the storage gets a copy, which is returned. Under the
/// graph lock.
ValueRef exclusive_value(const Array& destination, ValueRef target, uint32_t known, bool escaped);

}  // namespace hither::array
