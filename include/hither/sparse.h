// Sparse matrices in rows.
#pragma once

#include <hither/array.h>

namespace hither {

/// The product of a sparse matrix and a vector, or a matrix, x. For each row r of the result, the
/// sum of data[k] * x[indices[k]] over k = begins[r], begins[r] + 1, ..., ends[r] - 1, in this
/// order, by one item for each element. Products and sums have the dtype `dtype`; sums of bool are
/// disjunctions. data, indices, begins and ends are vectors. Indices are int32 or int64, and so are
/// the begins and ends, which have one dtype. They are not checked. Lazy, but for the begins and
/// ends, which are submitted. Errors: kValue for shapes, kType, kPlacement.
HITHER_EXPORT Array sparse_product(const Array& data, const Array& indices, const Array& begins,
                                   const Array& ends, const Array& x, DType dtype,
                                   const Queue* queue = nullptr);

/// For each k below `size`, the row r with pointers[r] <= k < pointers[r + 1], in the dtype of the
/// pointers, which is int32 or int64. They increase or stay, from 0 to `size`, which is not
/// checked; nothing is written outside of the result. One item handles one row. Lazy. Errors:
/// kValue for shapes, kType, kPlacement.
HITHER_EXPORT Array row_numbers(const Array& pointers, int64_t size, const Queue* queue = nullptr);

}  // namespace hither
