// Optional part of the driver contract: a vendor's products of sparse matrices. Like a BLAS it is
// exempt from "same program, same bits" between devices; one device repeats its bits.
#pragma once

#include <cstddef>
#include <cstdint>

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
};

}  // namespace hither::runtime
