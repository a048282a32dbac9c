#include "drivers/cuda/cusparse.h"

#include <dlfcn.h>

#include <atomic>
#include <complex>

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
constexpr int kAsItIs = 0, kFromZero = 0, kInt32 = 2, kInt64 = 3, kRowMajor = 2;
constexpr int kFloat = 0, kDouble = 1, kComplexFloat = 4, kComplexDouble = 5;
// The algorithms of rows whose sums have the same bits each time.
constexpr int kVectorAlgorithm = 3, kMatrixAlgorithm = 12;
/// Elements of a row, on average, from which cuSPARSE is faster than an item for each row, whose
/// neighbours read elements at a distance.
constexpr int64_t kLongRows = 8;

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
  F(cusparseCreateDnMat, (Descriptor*, int64_t, int64_t, int64_t, void*, int, int)) \
  F(cusparseDestroyDnMat, (Descriptor)) \
  F(cusparseSpMV_bufferSize, (cusparseHandle_t, int, const void*, Descriptor, Descriptor, \
                              const void*, Descriptor, int, int, size_t*)) \
  F(cusparseSpMV, (cusparseHandle_t, int, const void*, Descriptor, Descriptor, const void*, \
                   Descriptor, int, int, void*)) \
  F(cusparseSpMM_bufferSize, (cusparseHandle_t, int, int, const void*, Descriptor, Descriptor, \
                              const void*, Descriptor, int, int, size_t*)) \
  F(cusparseSpMM, (cusparseHandle_t, int, int, const void*, Descriptor, Descriptor, const void*, \
                   Descriptor, int, int, void*))
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
  Operands(const Functions& f, const runtime::SparseProduct& p) : f_(f), matrices_(p.width > 0) {
    const int type = kind_for(p.dtype).type, index = p.index == DType::kInt32 ? kInt32 : kInt64;
    check_status(f.cusparseCreateConstCsr(&a, p.rows, p.columns, p.size, p.pointers, p.indices,
                                          p.data, index, index, kFromZero, type),
                 "cusparseCreateConstCsr");
    x = dense(p.columns, p.width, const_cast<void*>(p.x), type);
    y = dense(p.rows, p.width, p.y, type);
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;
  ~Operands() {
    f_.cusparseDestroySpMat(a);
    for (Descriptor d : {x, y})
      if (d) matrices_ ? f_.cusparseDestroyDnMat(d) : f_.cusparseDestroyDnVec(d);
  }

  Descriptor a = nullptr, x = nullptr, y = nullptr;

 private:
  Descriptor dense(int64_t rows, int64_t width, void* data, int type) const {
    Descriptor made = nullptr;
    if (matrices_)
      check_status(f_.cusparseCreateDnMat(&made, rows, width, width, data, type, kRowMajor),
                   "cusparseCreateDnMat");
    else
      check_status(f_.cusparseCreateDnVec(&made, rows, data, type), "cusparseCreateDnVec");
    return made;
  }

  const Functions& f_;
  const bool matrices_;
};

class Cusparse final : public runtime::SparseLibrary {
 public:
  explicit Cusparse(const Functions& functions) : f_(functions) {}

  bool takes(const runtime::SparseProduct& p) const noexcept override {
    return p.dtype >= DType::kFloat32 && p.dtype <= DType::kComplex128 &&
           p.size >= kLongRows * p.rows;
  }

  size_t workspace_bytes(const runtime::SparseProduct& p, void* stream) const override {
    const Kind kind = kind_for(p.dtype);
    const Operands of(f_, p);
    cusparseHandle_t const handle = handle_for(static_cast<CUstream>(stream));
    size_t bytes = 0;
    if (p.width > 0)
      check_status(f_.cusparseSpMM_bufferSize(handle, kAsItIs, kAsItIs, kind.one, of.a, of.x,
                                              kind.zero, of.y, kind.type, kMatrixAlgorithm, &bytes),
                   "cusparseSpMM_bufferSize");
    else
      check_status(f_.cusparseSpMV_bufferSize(handle, kAsItIs, kind.one, of.a, of.x, kind.zero,
                                              of.y, kind.type, kVectorAlgorithm, &bytes),
                   "cusparseSpMV_bufferSize");
    return bytes;
  }

  void multiply(const runtime::SparseProduct& p, void* stream) const override {
    const Kind kind = kind_for(p.dtype);
    const Operands of(f_, p);
    cusparseHandle_t const handle = handle_for(static_cast<CUstream>(stream));
    if (p.width > 0)
      check_status(f_.cusparseSpMM(handle, kAsItIs, kAsItIs, kind.one, of.a, of.x, kind.zero, of.y,
                                   kind.type, kMatrixAlgorithm, p.workspace),
                   "cusparseSpMM");
    else
      check_status(f_.cusparseSpMV(handle, kAsItIs, kind.one, of.a, of.x, kind.zero, of.y,
                                   kind.type, kVectorAlgorithm, p.workspace),
                   "cusparseSpMV");
  }

  void forget(CUstream stream) noexcept {
    handles_.forget(stream, [this](cusparseHandle_t handle) { f_.cusparseDestroy(handle); });
  }

 private:
  cusparseHandle_t handle_for(CUstream stream) const {
    return handles_.get(stream, [&] {
      cusparseHandle_t handle = nullptr;
      check_status(f_.cusparseCreate(&handle), "cusparseCreate");
      check_status(f_.cusparseSetStream(handle, stream), "cusparseSetStream");
      return handle;
    });
  }

  const Functions f_;
  mutable StreamHandles<cusparseHandle_t> handles_;
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
