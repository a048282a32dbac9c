// Optional part of the driver contract: vendor libraries of a device. They are exempt from "same
// program, same bits" (design: invariant 5).
#pragma once

#include <cstdint>
#include <string>

#include <hither/dtype.h>

namespace hither::runtime {

/// c = a b over row-major matrices: c is m x n, a is m x k (or k x m, read transposed), b is k x n
/// (or n x k). ld*: elements from one stored row to the next. dtype: float32, float64, complex64 or
/// complex128.
struct Gemm {
  DType dtype = DType::kFloat64;
  bool transpose_a = false, transpose_b = false;
  int64_t m = 0, n = 0, k = 0;
  int64_t lda = 1, ldb = 1, ldc = 1;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
};

/// A BLAS that host work on the device's queues calls (submit_host). Thread-safe.
class Blas {
 public:
  virtual ~Blas() = default;
  virtual std::string name() const = 0;
  virtual void gemm(const Gemm& call) const = 0;
};

/// What set_blas_library() named last; empty when nobody did.
std::string blas_library_path();

}  // namespace hither::runtime
