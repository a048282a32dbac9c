// Optional part of the driver contract: a vendor's products of sparse matrices. Like a BLAS it is
// exempt from "same program, same bits" between devices; one device repeats its bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <hither/dtype.h>

namespace hither::runtime {

/// y = A x, where x and y are vectors. The elements of row r of A are those from pointers[r] to
/// pointers[r + 1].
struct SparseProduct {
  DType dtype = DType::kFloat64;  ///< of data, x and y
  DType index = DType::kInt32;    ///< of indices and pointers
  int64_t rows = 0, columns = 0, size = 0;
  const void* data = nullptr;
  const void* indices = nullptr;
  const void* pointers = nullptr;
  const void* x = nullptr;
  void* y = nullptr;
  void* workspace = nullptr;  ///< workspace_bytes() bytes
};

/// C = A B, where A, B and C are matrices in rows, with int32 columns and pointers. The elements of
/// a row may be in any order, and in parts.
struct SparseMatrices {
  struct Rows {
    int64_t rows = 0, columns = 0, size = 0;
    const void* data = nullptr;
    const void* indices = nullptr;
    const void* pointers = nullptr;
  };
  DType dtype = DType::kFloat64;
  Rows a, b;
  void* pointers = nullptr;  ///< of C
  /// The address of this number of bytes, which stay until the product has been computed.
  std::function<void*(size_t bytes)> workspace;
  /// Memory for the elements of C and their columns, whose number is known now.
  struct Elements {
    void *data, *indices;
  };
  std::function<Elements(int64_t size)> result;
};

/// Its functions submit to the native queue, as a Blas with works_in_streams() does. Thread-safe.
/// The native context is current.
class SparseLibrary {
 public:
  virtual ~SparseLibrary() = default;
  /// Whether multiply() takes a product of these dtypes and sizes, and is expected to be faster
  /// than a kernel whose items have a row each. Addresses are not considered.
  virtual bool takes(const SparseProduct& call) const noexcept = 0;
  virtual size_t workspace_bytes(const SparseProduct& call, void* stream) const = 0;
  virtual void multiply(const SparseProduct& call, void* stream) const = 0;
  /// Whether multiply() takes two sparse matrices of this dtype.
  virtual bool takes_matrices(DType) const noexcept { return false; }
  /// It waits for the number of the result's elements. At least one element of A meets one of B.
  virtual void multiply(const SparseMatrices&, void* /*stream*/) const {}
};

}  // namespace hither::runtime
