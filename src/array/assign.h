// Memory that may be written in place.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// Error kValue when the destination is read-only or repeats elements.
void check_destination(const Array& destination);

/// `value` without leading axes of one element that it has beyond `rank`: NumPy stores such.
Array without_leading_ones(const Array& value, int rank);

/// `s` as an array of `dtype` stores it: a float becomes an integer by truncation, as in NumPy.
/// Error kOverflow when it does not fit.
Scalar stored_scalar(const Scalar& s, DType dtype);

/// `target`, the ready value of the destination's storage, when nothing but its storage, our own
/// reference and `known - 1` others refer to it, or it has escaped; else the storage gets a copy,
/// which is returned. Under the graph lock.
ValueRef exclusive_value(const Array& destination, ValueRef target, uint32_t known, bool escaped);

}  // namespace hither::array
