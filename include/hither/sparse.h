// Products of sparse matrices in rows.
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

}  // namespace hither
