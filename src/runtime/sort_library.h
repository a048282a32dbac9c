// Optional part of the driver contract: a sort of rows on the host.
#pragma once

#include <cstddef>
#include <cstdint>

#include <hither/dtype.h>

namespace hither::runtime {

/// One sort of `rows` rows of `length` elements in C order. Exactly one of `values` and `indices`
/// is set. NaNs come last, in both directions. Complex elements are ordered by their real parts,
/// then by their imaginary parts.
struct RowSort {
  DType dtype = DType::kFloat64;
  bool descending = false;
  int64_t rows = 0, length = 0;
  const void* from = nullptr;
  void* values = nullptr;      ///< receives the sorted elements; may not overlap `from`
  int64_t* indices = nullptr;  ///< receives the stable order: indices into each row
  void* scratch = nullptr;     ///< scratch_bytes() bytes
};

/// Sorts memory that the host can access. Thread-safe.
class SortLibrary {
 public:
  virtual ~SortLibrary() = default;
  virtual size_t scratch_bytes(const RowSort& call) const noexcept = 0;
  /// Called in a host task, on any thread. The result does not depend on the number of threads.
  /// Error kMemory.
  virtual void sort(const RowSort& call) const = 0;
};

}  // namespace hither::runtime
