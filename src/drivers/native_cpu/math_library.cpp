// OpenBLAS, opened at run time.
#include "runtime/math_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "drivers/native_cpu/blas_memory.h"
#include "drivers/native_cpu/device.h"
#include "process/before_blocking.h"
#include "process/environment.h"
#include "process/library.h"

namespace hither::drivers::native_cpu {
namespace {

/// Multiplications that take some ten microseconds. OpenBLAS computes so many on one thread.
constexpr int64_t kLargeProduct = int64_t{1} << 18;
/// Multiplications of a batch that one thread computes in a few microseconds.
constexpr int64_t kShortBatch = int64_t{1} << 16;
/// Parts of a batch for each thread.
constexpr int64_t kParts = 4;

constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;

template <class Int, class Scalar>
using RealGemm = void (*)(int, int, int, Int, Int, Int, Scalar, const Scalar*, Int, const Scalar*,
                          Int, Scalar, Scalar*, Int);
template <class Int>
using ComplexGemm = void (*)(int, int, int, Int, Int, Int, const void*, const void*, Int,
                             const void*, Int, const void*, void*, Int);

template <class Int, class Scalar>
using RealGemv = void (*)(int, int, Int, Int, Scalar, const Scalar*, Int, const Scalar*, Int,
                          Scalar, Scalar*, Int);
template <class Int>
using ComplexGemv = void (*)(int, int, Int, Int, const void*, const void*, Int, const void*, Int,
                             const void*, void*, Int);

/// A product with one column or one row, as y = A x or y = transposed A x: `rows` and `columns` of
/// A as stored, and the distance of x's elements.
struct Gemv {
  DType dtype;
  bool transpose;
  int64_t rows, columns, leading, step;
  const void* a;
  const void* x;
  void* y;
};

bool has_vector(const runtime::Gemm& c) noexcept { return c.m == 1 || c.n == 1; }

Gemv vector_product(const runtime::Gemm& c) noexcept {
  if (c.n == 1) {
    const int64_t rows = c.transpose_a ? c.k : c.m, columns = c.transpose_a ? c.m : c.k;
    return {c.dtype, c.transpose_a, rows, columns, c.lda, c.transpose_b ? 1 : c.ldb, c.a, c.b, c.c};
  }
  const int64_t rows = c.transpose_b ? c.n : c.k, columns = c.transpose_b ? c.k : c.n;
  return {c.dtype, !c.transpose_b, rows, columns, c.ldb, c.transpose_a ? c.lda : 1, c.b, c.a, c.c};
}

/// The symbol names of an OpenBLAS build (`prefix` cblas_dgemm `suffix`) and its integer size.
struct Spelling {
  const char* prefix;
  const char* suffix;
  bool wide;
};
constexpr Spelling kSpellings[] = {{"scipy_", "64_", true}, {"", "64_", true}, {"", "", false}};

int all_threads() { return static_cast<int>(Topology::machine().units.size()); }

struct Symbols {
  void* handle = nullptr;
  Spelling spelling{};
  void* gemm[4] = {};  // s, d, c, z
  void* gemv[4] = {};

  void* find(const std::string& name) const {
    return dlsym(handle, (spelling.prefix + name + spelling.suffix).c_str());
  }
  bool load(const Spelling& how) {
    spelling = how;
    const std::string types = "sdcz";
    for (size_t i = 0; i < 4; ++i) {
      gemm[i] = find(std::string("cblas_") + types[i] + "gemm");
      gemv[i] = find(std::string("cblas_") + types[i] + "gemv");
      if (!gemm[i] || !gemv[i]) return false;
    }
    return true;
  }
};

std::unique_ptr<const Symbols> find_symbols() {
  std::vector<std::string> paths;
  if (const auto path = process::environment(process::variable::kOpenBlas); !path.empty())
    paths.emplace_back(path);
  if (const std::string path = runtime::blas_library_path(); !path.empty()) paths.push_back(path);
  paths.push_back("libopenblas.so.0");
  check_memory_to_open(all_threads());
  for (const std::string& path : paths) {
    auto s = std::make_unique<Symbols>();
    s->handle = process::open_library(path);
    if (s->handle)
      for (const Spelling& how : kSpellings)
        if (s->load(how)) return s;
  }
  return nullptr;
}

// Searches once in a process, unless an error is thrown. The library stays open because its threads
// keep running.
const Symbols* symbols() {
  static const Symbols* const found = find_symbols().release();
  return found;
}

BlasBuffers& buffers() {
  static auto& all = *new BlasBuffers;
  return all;
}

class OpenBlas final : public runtime::Blas {
 public:
  OpenBlas(const Symbols& symbols, std::shared_ptr<Arena> arena)
      : s_(symbols),
        arena_(std::move(arena)),
        threads_(arena_->concurrency()),
        set_threads_(reinterpret_cast<SetThreads>(s_.find("openblas_set_num_threads_local"))) {}

  std::string name() const override {
    using Config = char* (*)();
    if (auto config = reinterpret_cast<Config>(s_.find("openblas_get_config"))) return config();
    return "OpenBLAS";
  }

  bool takes_batches() const override { return true; }

  void gemm(const runtime::Gemm& call, void*) const override {
    const int64_t size = call.m * call.n * call.k;
    if (size * call.count > kLargeProduct) process::before_blocking();
    const bool is_short = size * call.count < kShortBatch;
    if (!is_short && call.count > 1 && size <= kLargeProduct && !takes_buffer(call) && divide(call))
      return;
    for (int64_t i = 0; i < call.count; ++i) multiply(product_of(call, i));
  }

  /// A product that is large enough to need a buffer: after it, a single caller needs no more
  /// memory.
  void take_buffer() const {
    constexpr int64_t kSide = 160;
    const std::vector<double> factor(kSide * kSide);
    std::vector<double> product(kSide * kSide);
    gemm({.m = kSide,
          .n = kSide,
          .k = kSide,
          .lda = kSide,
          .ldb = kSide,
          .ldc = kSide,
          .a = factor.data(),
          .b = factor.data(),
          .c = product.data()},
         nullptr);
  }

 private:
  using SetThreads = int (*)(int);

  static runtime::Gemm product_of(runtime::Gemm call, int64_t i) noexcept {
    const int64_t item = size_of(call.dtype);
    call.a = static_cast<const char*>(call.a) + i * call.step_a * item;
    call.b = static_cast<const char*>(call.b) + i * call.step_b * item;
    call.c = static_cast<char*>(call.c) + i * call.step_c * item;
    call.count = 1;
    return call;
  }

  void multiply(const runtime::Gemm& call) const {
    const BlasBuffers::Use buffer(buffers(), takes_buffer(call));
    // Products of this thread use as many threads as the device has.
    const int before = set_threads_ ? set_threads_(threads_) : 0;
    run(call);
    if (set_threads_) set_threads_(before);
  }

  /// Computes small products, each on one thread. Not if OpenBLAS may find no memory for all
  /// threads.
  bool divide(const runtime::Gemm& call) const try {
    struct Batch {
      const OpenBlas& blas;
      const runtime::Gemm& call;
      int64_t parts;
    };
    Batch batch{*this, call, std::min(call.count, kParts * threads_)};
    const BlasBuffers::Use buffer(buffers(), false,
                                  static_cast<int>(std::min<int64_t>(threads_, batch.parts)));
    arena_->for_each(
        batch.parts,
        [](void* data, int64_t part) {
          const Batch& b = *static_cast<const Batch*>(data);
          const int64_t end = (part + 1) * b.call.count / b.parts;
          for (int64_t i = part * b.call.count / b.parts; i < end; ++i)
            b.blas.run(product_of(b.call, i));
        },
        &batch);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory) throw;
    return false;
  }

  /// OpenBLAS computes products of up to a million steps without a buffer if it can. Products
  /// with a vector need one beyond a few hundred elements.
  static bool takes_buffer(const runtime::Gemm& c) noexcept {
    if (has_vector(c)) return std::max({c.m, c.n, c.k}) > 64;
    return static_cast<double>(c.m) * static_cast<double>(c.n) * static_cast<double>(c.k) > 2e6;
  }

  void run(const runtime::Gemm& c) const { s_.spelling.wide ? run<int64_t>(c) : run<int32_t>(c); }

  template <class Int>
  void run(const runtime::Gemm& c) const {
    const auto type = static_cast<size_t>(c.dtype) - static_cast<size_t>(DType::kFloat32);
    if (has_vector(c)) return run_vector<Int>(vector_product(c), s_.gemv[type]);
    switch (c.dtype) {
      case DType::kFloat32:
        return real<Int, float>(c, s_.gemm[type]);
      case DType::kFloat64:
        return real<Int, double>(c, s_.gemm[type]);
      case DType::kComplex64:
        return complex<Int, float>(c, s_.gemm[type]);
      default:
        return complex<Int, double>(c, s_.gemm[type]);
    }
  }

  template <class Int>
  static void run_vector(const Gemv& c, void* f) {
    // The factor 0 of what y was does not hide a NaN in it in each version of OpenBLAS.
    const int64_t size = c.transpose ? c.columns : c.rows;
    std::memset(c.y, 0, static_cast<size_t>(size * size_of(c.dtype)));
    switch (c.dtype) {
      case DType::kFloat32:
        return real<Int, float>(c, f);
      case DType::kFloat64:
        return real<Int, double>(c, f);
      case DType::kComplex64:
        return complex<Int, float>(c, f);
      default:
        return complex<Int, double>(c, f);
    }
  }

  template <class Int, class T>
  static void real(const Gemv& c, void* f) {
    reinterpret_cast<RealGemv<Int, T>>(f)(
        kRowMajor, c.transpose ? kTranspose : kNoTranspose, static_cast<Int>(c.rows),
        static_cast<Int>(c.columns), T(1), static_cast<const T*>(c.a), static_cast<Int>(c.leading),
        static_cast<const T*>(c.x), static_cast<Int>(c.step), T(0), static_cast<T*>(c.y), 1);
  }

  template <class Int, class T>
  static void complex(const Gemv& c, void* f) {
    const T one[2] = {1, 0}, zero[2] = {0, 0};
    reinterpret_cast<ComplexGemv<Int>>(f)(kRowMajor, c.transpose ? kTranspose : kNoTranspose,
                                          static_cast<Int>(c.rows), static_cast<Int>(c.columns),
                                          one, c.a, static_cast<Int>(c.leading), c.x,
                                          static_cast<Int>(c.step), zero, c.y, 1);
  }

  template <class Int, class T>
  static void real(const runtime::Gemm& c, void* f) {
    reinterpret_cast<RealGemm<Int, T>>(f)(
        kRowMajor, c.transpose_a ? kTranspose : kNoTranspose,
        c.transpose_b ? kTranspose : kNoTranspose, static_cast<Int>(c.m), static_cast<Int>(c.n),
        static_cast<Int>(c.k), T(1), static_cast<const T*>(c.a), static_cast<Int>(c.lda),
        static_cast<const T*>(c.b), static_cast<Int>(c.ldb), T(0), static_cast<T*>(c.c),
        static_cast<Int>(c.ldc));
  }

  template <class Int, class T>
  static void complex(const runtime::Gemm& c, void* f) {
    const T one[2] = {1, 0}, zero[2] = {0, 0};
    reinterpret_cast<ComplexGemm<Int>>(f)(
        kRowMajor, c.transpose_a ? kTranspose : kNoTranspose,
        c.transpose_b ? kTranspose : kNoTranspose, static_cast<Int>(c.m), static_cast<Int>(c.n),
        static_cast<Int>(c.k), one, c.a, static_cast<Int>(c.lda), c.b, static_cast<Int>(c.ldb),
        zero, c.c, static_cast<Int>(c.ldc));
  }

  const Symbols& s_;
  std::shared_ptr<Arena> arena_;
  int threads_;
  SetThreads set_threads_;
};

}  // namespace

std::unique_ptr<runtime::Blas> open_blas(std::shared_ptr<Arena> arena) {
  const Symbols* s = symbols();
  if (!s) return nullptr;
  auto blas = std::make_unique<OpenBlas>(*s, std::move(arena));
  blas->take_buffer();
  return blas;
}

const runtime::Blas* CpuDevice::blas() {
  std::call_once(blas_once_, [&] { blas_ = open_blas(arena_); });
  return blas_.get();
}

}  // namespace hither::drivers::native_cpu
