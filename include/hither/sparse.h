// Sparse matrices in rows.
#pragma once

#include <optional>
#include <span>
#include <string_view>

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

/// The same for a vector by the library of the device, if it has one that is expected to be faster:
/// the elements of row r are those from pointers[r] to pointers[r + 1], of data.size() in all. The
/// order of the sums is the library's, and the same each time. Nothing if the library does not take
/// the product.
HITHER_EXPORT std::optional<Array> library_sparse_product(const Array& data, const Array& indices,
                                                          const Array& pointers, const Array& x,
                                                          DType dtype,
                                                          const Queue* queue = nullptr);

/// A sparse matrix in rows: the elements of row r are those from pointers[r] to pointers[r + 1].
struct SparseRows {
  Array data, indices, pointers;
  int64_t columns = 0;
};

/// The product of two sparse matrices with elements of one dtype and int32 indices, by the library
/// of the device. Indices are not checked. The columns of a row are in no order. It waits for the
/// number of elements. Nothing if the device has no library that takes the product, or no memory
/// for it. Errors: kType, kPlacement, kDevice.
HITHER_EXPORT std::optional<SparseRows> library_sparse_matrices(const SparseRows& a,
                                                                const SparseRows& b,
                                                                const Queue* queue = nullptr);

/// A vector of `size` indices that a function of device_library/sparse.cpp writes, which see: its
/// name without the prefix and the type, its operands, and its integers. It is called by `items`
/// items. All operands are vectors of one dtype, int32 or int64, which the result has too. Neither
/// they nor the integers are checked. Lazy, but the operands are submitted. Errors: kType,
/// kPlacement.
HITHER_EXPORT Array row_function(std::string_view function, std::span<const Array* const> operands,
                                 std::span<const int64_t> integers, int64_t items, int64_t size,
                                 const Queue* queue = nullptr);

/// The elements of a product of two sparse matrices in rows with elements a and b: `size` sums of
/// products. `structure` has seven vectors of int32, or of int64: pointers to the rows of the
/// result, the number of each row's first product, the pointers and columns of both matrices, and
/// the element of the result for each product. They are not checked. Lazy, but the structure is
/// submitted. Errors: kType, kPlacement.
HITHER_EXPORT Array sparse_sums(const Array& a, const Array& b,
                                std::span<const Array* const> structure, int64_t size, DType dtype,
                                const Queue* queue = nullptr);

}  // namespace hither
