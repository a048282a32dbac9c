// Optional part of the driver contract: vendor libraries of a device. They are exempt from "same
// program, same bits" (design: invariant 5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <hither/dtype.h>
#include <hither/precision.h>

namespace hither::runtime {

/// c = a b over row-major matrices: c is m x n, a is m x k (or k x m, read transposed), b is k x n
/// (or n x k). ld*: elements from one stored row to the next.
struct Gemm {
  DType dtype = DType::kFloat64;
  bool transpose_a = false, transpose_b = false;
  int64_t m = 0, n = 0, k = 0;
  int64_t lda = 1, ldb = 1, ldc = 1;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  /// A batch of `count` products; step_* are the distances of their matrices in elements.
  int64_t count = 1, step_a = 0, step_b = 0, step_c = 0;
  Precision precision = Precision::kFull;  ///< the least sufficient one
};

/// A BLAS of the device. Thread-safe.
class Blas {
 public:
  virtual ~Blas() = default;
  virtual std::string name() const = 0;
  /// Whether gemm() submits to the native queue (submit_native). Else a host task (submit_host)
  /// calls it.
  virtual bool works_in_streams() const { return false; }
  /// Whether gemm() takes batches. Their steps are not negative.
  virtual bool takes_batches() const { return works_in_streams(); }
  virtual bool takes(DType dtype) const {
    return dtype >= DType::kFloat32 && dtype <= DType::kComplex128;
  }
  virtual void gemm(const Gemm& call, void* stream) const = 0;
};

/// The argument of the last set_cuda_folders(): further folders of CUDA's libraries.
std::vector<std::string> cuda_folders();

/// The argument of the last set_blas_library(), or empty.
std::string blas_library_path();

}  // namespace hither::runtime
