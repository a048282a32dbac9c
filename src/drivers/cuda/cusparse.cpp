#include "drivers/cuda/cusparse.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <mutex>

#include <fmt/format.h>

#include "drivers/cuda/checked.h"
#include "drivers/cuda/library_file.h"
#include "drivers/cuda/stream_handles.h"

namespace hither::drivers::cuda {
namespace of_cusparse {
namespace {

// cuSPARSE's names, declared from its documented ABI.
using cusparseHandle_t = struct CusparseContext*;
using Descriptor = struct CusparseDescriptor*;
using cusparseStatus_t = int;
constexpr int kAsItIs = 0, kFromZero = 0, kInt32 = 2, kInt64 = 3;
constexpr int kFloat = 0, kDouble = 1, kComplexFloat = 4, kComplexDouble = 5;
// CUSPARSE_SPMV_CSR_ALG2, whose sums have the same bits each time.
constexpr int kAlgorithm = 3;
constexpr int kMatrices = 0;  // CUSPARSE_SPGEMM_DEFAULT
/// Elements of a row, on average, from which cuSPARSE is faster than our kernel, in which
/// neighbouring items read memory with gaps.
constexpr int64_t kLongRows = 16;

// clang-format off
#define HITHER_CUSPARSE_FUNCTIONS(F) \
  F(cusparseCreate, (cusparseHandle_t*)) \
  F(cusparseDestroy, (cusparseHandle_t)) \
  F(cusparseSetStream, (cusparseHandle_t, CUstream)) \
  F(cusparseGetProperty, (int, int*)) \
  F(cusparseCreateConstCsr, (Descriptor*, int64_t, int64_t, int64_t, const void*, const void*, \
                             const void*, int, int, int, int)) \
  F(cusparseDestroySpMat, (Descriptor)) \
  F(cusparseCreateDnVec, (Descriptor*, int64_t, void*, int)) \
  F(cusparseDestroyDnVec, (Descriptor)) \
  F(cusparseSpMV_bufferSize, (cusparseHandle_t, int, const void*, Descriptor, Descriptor, \
                              const void*, Descriptor, int, int, size_t*)) \
  F(cusparseSpMV, (cusparseHandle_t, int, const void*, Descriptor, Descriptor, const void*, \
                   Descriptor, int, int, void*)) \
  F(cusparseCreateCsr, (Descriptor*, int64_t, int64_t, int64_t, void*, void*, void*, int, int, \
                        int, int)) \
  F(cusparseCsrSetPointers, (Descriptor, void*, void*, void*)) \
  F(cusparseSpMatGetSize, (Descriptor, int64_t*, int64_t*, int64_t*)) \
  F(cusparseSpGEMM_createDescr, (Descriptor*)) \
  F(cusparseSpGEMM_destroyDescr, (Descriptor)) \
  F(cusparseSpGEMM_workEstimation, (cusparseHandle_t, int, int, const void*, Descriptor, \
                                    Descriptor, const void*, Descriptor, int, int, Descriptor, \
                                    size_t*, void*)) \
  F(cusparseSpGEMM_compute, (cusparseHandle_t, int, int, const void*, Descriptor, Descriptor, \
                             const void*, Descriptor, int, int, Descriptor, size_t*, void*)) \
  F(cusparseSpGEMM_copy, (cusparseHandle_t, int, int, const void*, Descriptor, Descriptor, \
                          const void*, Descriptor, int, int, Descriptor))
// clang-format on

struct Functions {
#define HITHER_CUSPARSE_MEMBER(name, parameters) cusparseStatus_t(*name) parameters = nullptr;
  HITHER_CUSPARSE_FUNCTIONS(HITHER_CUSPARSE_MEMBER)
#undef HITHER_CUSPARSE_MEMBER

  bool load(void* library) {
#define HITHER_CUSPARSE_LOAD(name, parameters)                    \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name)); \
  if (!name) return false;
    HITHER_CUSPARSE_FUNCTIONS(HITHER_CUSPARSE_LOAD)
#undef HITHER_CUSPARSE_LOAD
    return true;
  }
};

void check_status(cusparseStatus_t status, const char* call) {
  if (status == 0) return;
  constexpr int kNoResources = 2, kInsufficientResources = 11;
  const bool memory = status == kNoResources || status == kInsufficientResources;
  throw Error(memory ? ErrorKind::kMemory : ErrorKind::kDevice, "sparse_product",
              fmt::format("cuSPARSE's status {} in {}", status, call), status);
}

template <class Number>
constexpr Number kNumbers[] = {Number(1), Number(0)};

/// cuSPARSE's name of a data type, and one and zero of it.
struct Kind {
  int type;
  const void *one, *zero;
};

Kind kind_for(DType dtype) {
  const auto kind = []<class Number>(int type, const Number(&numbers)[2]) {
    return Kind{type, &numbers[0], &numbers[1]};
  };
  switch (dtype) {
    case DType::kFloat32:
      return kind(kFloat, kNumbers<float>);
    case DType::kFloat64:
      return kind(kDouble, kNumbers<double>);
    case DType::kComplex64:
      return kind(kComplexFloat, kNumbers<std::complex<float>>);
    default:
      return kind(kComplexDouble, kNumbers<std::complex<double>>);
  }
}

/// The descriptors of one product.
class Operands {
 public:
  Operands(const Functions& f, const runtime::SparseProduct& p) : f_(f) {
    const int type = kind_for(p.dtype).type, index = p.index == DType::kInt32 ? kInt32 : kInt64;
    try {
      check_status(f.cusparseCreateConstCsr(&a, p.rows, p.columns, p.size, p.pointers, p.indices,
                                            p.data, index, index, kFromZero, type),
                   "cusparseCreateConstCsr");
      check_status(f.cusparseCreateDnVec(&x, p.columns, const_cast<void*>(p.x), type),
                   "cusparseCreateDnVec");
      check_status(f.cusparseCreateDnVec(&y, p.rows, p.y, type), "cusparseCreateDnVec");
    } catch (...) {
      destroy();
      throw;
    }
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;
  ~Operands() { destroy(); }

  Descriptor a = nullptr, x = nullptr, y = nullptr;

 private:
  void destroy() noexcept {
    if (a) f_.cusparseDestroySpMat(a);
    if (x) f_.cusparseDestroyDnVec(x);
    if (y) f_.cusparseDestroyDnVec(y);
  }

  const Functions& f_;
};

/// The descriptors of a product of two matrices.
class Matrices {
 public:
  Matrices(const Functions& f, const runtime::SparseMatrices& p) : f_(f) {
    const int type = kind_for(p.dtype).type;
    const auto describe = [&](Descriptor& made, const runtime::SparseMatrices::Rows& rows) {
      check_status(
          f.cusparseCreateConstCsr(&made, rows.rows, rows.columns, rows.size, rows.pointers,
                                   rows.indices, rows.data, kInt32, kInt32, kFromZero, type),
          "cusparseCreateConstCsr");
    };
    try {
      describe(a, p.a);
      describe(b, p.b);
      check_status(f.cusparseCreateCsr(&c, p.a.rows, p.b.columns, 0, p.pointers, nullptr, nullptr,
                                       kInt32, kInt32, kFromZero, type),
                   "cusparseCreateCsr");
      check_status(f.cusparseSpGEMM_createDescr(&work), "cusparseSpGEMM_createDescr");
    } catch (...) {
      destroy();
      throw;
    }
  }
  Matrices(const Matrices&) = delete;
  Matrices& operator=(const Matrices&) = delete;
  ~Matrices() { destroy(); }

  Descriptor a = nullptr, b = nullptr, c = nullptr, work = nullptr;

 private:
  void destroy() noexcept {
    for (Descriptor matrix : {a, b, c})
      if (matrix) f_.cusparseDestroySpMat(matrix);
    if (work) f_.cusparseSpGEMM_destroyDescr(work);
  }

  const Functions& f_;
};

class Cusparse final : public runtime::SparseLibrary {
 public:
  explicit Cusparse(const Functions& functions) : f_(functions) {}

  // cuSPARSE refuses more elements than rows * columns, which matrices with duplicates may have.
  bool takes(const runtime::SparseProduct& p) const noexcept override {
    return p.dtype >= DType::kFloat32 && p.dtype <= DType::kComplex128 &&
           p.size >= kLongRows * p.rows && (p.size - 1) / p.rows < p.columns;
  }

  size_t workspace_bytes(const runtime::SparseProduct& p, void* stream) const override {
    const Kind kind = kind_for(p.dtype);
    const Operands of(f_, p);
    size_t bytes = 0;
    check_status(f_.cusparseSpMV_bufferSize(handle_for(static_cast<CUstream>(stream), handles_),
                                            kAsItIs, kind.one, of.a, of.x, kind.zero, of.y,
                                            kind.type, kAlgorithm, &bytes),
                 "cusparseSpMV_bufferSize");
    return bytes;
  }

  void multiply(const runtime::SparseProduct& p, void* stream) const override {
    const Kind kind = kind_for(p.dtype);
    const Operands of(f_, p);
    check_status(
        f_.cusparseSpMV(handle_for(static_cast<CUstream>(stream), handles_), kAsItIs, kind.one,
                        of.a, of.x, kind.zero, of.y, kind.type, kAlgorithm, p.workspace),
        "cusparseSpMV");
  }

  bool takes_matrices(DType dtype) const noexcept override {
    return dtype >= DType::kFloat32 && dtype <= DType::kComplex128;
  }

  // Its handles are its own, because no lock of the queue is held.
  void multiply(const runtime::SparseMatrices& p, void* stream) const override {
    const std::lock_guard lock(matrices_mutex_);
    cusparseHandle_t const handle = handle_for(static_cast<CUstream>(stream), of_matrices_);
    const Kind kind = kind_for(p.dtype);
    const Matrices of(f_, p);
    const auto call = [&](auto function, const char* name, auto... more) {
      check_status(function(handle, kAsItIs, kAsItIs, kind.one, of.a, of.b, kind.zero, of.c,
                            kind.type, kMatrices, of.work, more...),
                   name);
    };
    const auto with_workspace = [&](auto function, const char* name) {
      size_t bytes = 0;
      call(function, name, &bytes, static_cast<void*>(nullptr));
      call(function, name, &bytes, p.workspace(std::max<size_t>(bytes, 1)));
    };
    with_workspace(f_.cusparseSpGEMM_workEstimation, "cusparseSpGEMM_workEstimation");
    with_workspace(f_.cusparseSpGEMM_compute, "cusparseSpGEMM_compute");
    int64_t rows = 0, columns = 0, size = 0;
    check_status(f_.cusparseSpMatGetSize(of.c, &rows, &columns, &size), "cusparseSpMatGetSize");
    const auto [data, indices] = p.result(size);
    check_status(f_.cusparseCsrSetPointers(of.c, p.pointers, indices, data),
                 "cusparseCsrSetPointers");
    call(f_.cusparseSpGEMM_copy, "cusparseSpGEMM_copy");
  }

  void forget(CUstream stream) noexcept {
    for (auto* handles : {&handles_, &of_matrices_})
      handles->forget(stream, [this](cusparseHandle_t handle) { f_.cusparseDestroy(handle); });
  }

 private:
  cusparseHandle_t handle_for(CUstream stream, StreamHandles<cusparseHandle_t>& handles) const {
    return handles.get(stream, [&] {
      cusparseHandle_t handle = nullptr;
      check_status(f_.cusparseCreate(&handle), "cusparseCreate");
      if (const cusparseStatus_t status = f_.cusparseSetStream(handle, stream)) {
        f_.cusparseDestroy(handle);
        check_status(status, "cusparseSetStream");
      }
      return handle;
    });
  }

  const Functions f_;
  mutable StreamHandles<cusparseHandle_t> handles_, of_matrices_;
  mutable std::mutex matrices_mutex_;
};

/// Opened at the first product.
std::atomic<Cusparse*> opened{nullptr};

Cusparse* open() {
  // CUDA 13's has the major version of CUDA 12's. A library for a newer CUDA than the driver's does
  // not work.
  constexpr int kMinorVersion = 1, kMinorOfCuda13 = 6;
  Functions functions;
  void* const library = open_library("cusparse", 12);
  if (!library || !functions.load(library)) return nullptr;
  int minor = 0;
  functions.cusparseGetProperty(kMinorVersion, &minor);
  if (minor >= kMinorOfCuda13 && api().version < 13000) return nullptr;
  return new Cusparse(functions);
}

}  // namespace
}  // namespace of_cusparse

const runtime::SparseLibrary* cusparse() {
  static of_cusparse::Cusparse* const found = [] {
    auto* const made = of_cusparse::open();
    of_cusparse::opened.store(made, std::memory_order_release);
    return made;
  }();
  return found;
}

void forget_cusparse(CUstream stream) noexcept {
  if (auto* known = of_cusparse::opened.load(std::memory_order_acquire)) known->forget(stream);
}

}  // namespace hither::drivers::cuda
