#include "drivers/cuda/cublas.h"

#include <dlfcn.h>

#include <atomic>
#include <complex>

#include <fmt/format.h>

#include "drivers/cuda/checked.h"
#include "drivers/cuda/library_file.h"
#include "drivers/cuda/stream_handles.h"

namespace hither::drivers::cuda {
namespace {

// cuBLAS's names, declared from its documented ABI.
using cublasHandle_t = struct CublasContext*;
using cublasStatus_t = int;
constexpr int kNoTranspose = 0, kTranspose = 1;
constexpr int kHalf = 2, kBFloat = 14, kFloat = 0, kDouble = 1, kComplexFloat = 4,
              kComplexDouble = 5;
constexpr int kComputeFloat = 68, kComputeDouble = 70, kDefaultAlgorithm = -1;
constexpr int kComputeFromBFloat16 = 75, kComputeFromTensorFloat32 = 77;

// clang-format off
#define HITHER_CUBLAS_FUNCTIONS(F) \
  F(cublasCreate_v2, (cublasHandle_t*)) \
  F(cublasDestroy_v2, (cublasHandle_t)) \
  F(cublasSetStream_v2, (cublasHandle_t, CUstream)) \
  F(cublasGetProperty, (int, int*)) \
  F(cublasGemmEx_64, (cublasHandle_t, int, int, int64_t, int64_t, int64_t, const void*, \
                      const void*, int, int64_t, const void*, int, int64_t, const void*, \
                      void*, int, int64_t, int, int)) \
  F(cublasGemmStridedBatchedEx_64, (cublasHandle_t, int, int, int64_t, int64_t, int64_t, \
                      const void*, const void*, int, int64_t, int64_t, const void*, int, int64_t, \
                      int64_t, const void*, void*, int, int64_t, int64_t, int64_t, int, int))
// clang-format on

struct Functions {
#define HITHER_CUBLAS_MEMBER(name, parameters) cublasStatus_t(*name) parameters = nullptr;
  HITHER_CUBLAS_FUNCTIONS(HITHER_CUBLAS_MEMBER)
#undef HITHER_CUBLAS_MEMBER

  bool load(void* library) {
#define HITHER_CUBLAS_LOAD(name, parameters)                      \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name)); \
  if (!name) return false;
    HITHER_CUBLAS_FUNCTIONS(HITHER_CUBLAS_LOAD)
#undef HITHER_CUBLAS_LOAD
    return true;
  }
};

void check_status(cublasStatus_t status, const char* call) {
  if (status == 0) return;
  const char* name = status == 1    ? "CUBLAS_STATUS_NOT_INITIALIZED"
                     : status == 3  ? "CUBLAS_STATUS_ALLOC_FAILED"
                     : status == 7  ? "CUBLAS_STATUS_INVALID_VALUE"
                     : status == 8  ? "CUBLAS_STATUS_ARCH_MISMATCH"
                     : status == 13 ? "CUBLAS_STATUS_EXECUTION_FAILED"
                     : status == 15 ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                    : "an error";
  throw Error(status == 3 ? ErrorKind::kMemory : ErrorKind::kDevice, "matmul",
              fmt::format("{} ({}) in {}", name, status, call), status);
}

/// cuBLAS's names of a data type and its compute type, and one and zero of the compute type.
struct Kind {
  int type, compute;
  const void *one, *zero;
};

template <class Number>
constexpr Number kNumbers[] = {Number(1), Number(0)};

Kind kind_for(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return {kHalf, kComputeFloat, &kNumbers<float>[0], &kNumbers<float>[1]};
    case DType::kBFloat16:
      return {kBFloat, kComputeFloat, &kNumbers<float>[0], &kNumbers<float>[1]};
    case DType::kFloat32:
      return {kFloat, kComputeFloat, &kNumbers<float>[0], &kNumbers<float>[1]};
    case DType::kFloat64:
      return {kDouble, kComputeDouble, &kNumbers<double>[0], &kNumbers<double>[1]};
    case DType::kComplex64:
      return {kComplexFloat, kComputeFloat, &kNumbers<std::complex<float>>[0],
              &kNumbers<std::complex<float>>[1]};
    default:
      return {kComplexDouble, kComputeDouble, &kNumbers<std::complex<double>>[0],
              &kNumbers<std::complex<double>>[1]};
  }
}

/// cuBLAS's compute type for float32 sums of factors that may be rounded.
int compute_of(const Kind& kind, const runtime::Gemm& g) {
  if (g.dtype != DType::kFloat32 && g.dtype != DType::kComplex64) return kind.compute;
  switch (g.precision) {
    case Precision::kTensorFloat32:
      return kComputeFromTensorFloat32;
    case Precision::kBFloat16:
      return kComputeFromBFloat16;
    default:
      return kind.compute;
  }
}

class Cublas final : public runtime::Blas {
 public:
  explicit Cublas(const Functions& functions) : f_(functions) {}

  std::string name() const override {
    int version[3] = {};
    for (int i = 0; i < 3; ++i) f_.cublasGetProperty(i, &version[i]);
    return fmt::format("cuBLAS {}.{}.{}", version[0], version[1], version[2]);
  }
  bool works_in_streams() const override { return true; }
  bool takes(DType dtype) const override {
    return dtype >= DType::kFloat16 && dtype <= DType::kBFloat16;
  }

  // cuBLAS's matrices are column-major, so it reads row-major ones as transposed: c' = b' a'.
  void gemm(const runtime::Gemm& g, void* stream) const override {
    const Kind kind = kind_for(g.dtype);
    const int compute = compute_of(kind, g);
    const int op_a = g.transpose_a ? kTranspose : kNoTranspose;
    const int op_b = g.transpose_b ? kTranspose : kNoTranspose;
    cublasHandle_t const handle = handle_for(static_cast<CUstream>(stream));
    if (g.count == 1) {
      check_status(f_.cublasGemmEx_64(handle, op_b, op_a, g.n, g.m, g.k, kind.one, g.b, kind.type,
                                      g.ldb, g.a, kind.type, g.lda, kind.zero, g.c, kind.type,
                                      g.ldc, compute, kDefaultAlgorithm),
                   "cublasGemmEx_64");
      return;
    }
    check_status(f_.cublasGemmStridedBatchedEx_64(handle, op_b, op_a, g.n, g.m, g.k, kind.one, g.b,
                                                  kind.type, g.ldb, g.step_b, g.a, kind.type, g.lda,
                                                  g.step_a, kind.zero, g.c, kind.type, g.ldc,
                                                  g.step_c, g.count, compute, kDefaultAlgorithm),
                 "cublasGemmStridedBatchedEx_64");
  }

  void forget(CUstream stream) noexcept {
    handles_.forget(stream, [this](cublasHandle_t handle) { f_.cublasDestroy_v2(handle); });
  }

 private:
  cublasHandle_t handle_for(CUstream stream) const {
    return handles_.get(stream, [&] {
      cublasHandle_t handle = nullptr;
      check_status(f_.cublasCreate_v2(&handle), "cublasCreate_v2");
      check_status(f_.cublasSetStream_v2(handle, stream), "cublasSetStream_v2");
      return handle;
    });
  }

  const Functions f_;
  mutable StreamHandles<cublasHandle_t> handles_;
};

/// Opened at the first product.
std::atomic<Cublas*> opened{nullptr};

Cublas* open() {
  // A library for a newer CUDA than the driver's does not work.
  for (int major = api().version / 1000; major >= kLeastVersion / 1000; --major) {
    Functions functions;
    if (void* library = open_library("cublas", major); library && functions.load(library))
      return new Cublas(functions);
  }
  return nullptr;
}

}  // namespace

const runtime::Blas* cublas() {
  static Cublas* const found = [] {
    Cublas* made = open();
    opened.store(made, std::memory_order_release);
    return made;
  }();
  return found;
}

void forget_cublas(CUstream stream) noexcept {
  if (Cublas* known = opened.load(std::memory_order_acquire)) known->forget(stream);
}

}  // namespace hither::drivers::cuda
