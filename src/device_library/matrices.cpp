// Factorizations and products of small matrices, one in each item: LU with row exchanges, and
// Cholesky's. Matrices of at most kMost rows are in C order, one behind the other; those of
// products have strides. Functions have the item's number as the last argument.
//
// A matrix is read into a square of kMost rows, in which loops over a row have a constant number of
// steps and become vector instructions. The elements behind the matrix are 0.
#include <stdint.h>

#include "device_library/libm.h"

namespace {

template <class F>
struct Complex {
  F re, im;
  Complex() = default;
  Complex(F x, F y = 0) : re(x), im(y) {}
};
template <class F>
Complex<F> operator*(Complex<F> x, Complex<F> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
template <class F>
Complex<F> operator+(Complex<F> x, Complex<F> y) {
  return {x.re + y.re, x.im + y.im};
}
template <class F>
Complex<F> operator-(Complex<F> x, Complex<F> y) {
  return {x.re - y.re, x.im - y.im};
}
/// R. L. Smith: Algorithm 116: complex division; 1962.
template <class F>
Complex<F> operator/(Complex<F> x, Complex<F> y) {
  if (libm::fabs(y.re) >= libm::fabs(y.im)) {
    const F r = y.im / y.re, whole = y.re + y.im * r;
    return {(x.re + x.im * r) / whole, (x.im - x.re * r) / whole};
  }
  const F r = y.re / y.im, whole = y.re * r + y.im;
  return {(x.re * r + x.im) / whole, (x.im * r - x.re) / whole};
}

inline float real(float x) { return x; }
inline double real(double x) { return x; }
template <class F>
F real(Complex<F> x) {
  return x.re;
}
inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <class F>
Complex<F> conjugate(Complex<F> x) {
  return {x.re, -x.im};
}
/// LAPACK's size of a pivot.
template <class T>
auto size_of(T x) {
  return libm::fabs(x);
}
template <class F>
F size_of(Complex<F> x) {
  return libm::fabs(x.re) + libm::fabs(x.im);
}

template <class T>
void exchange(T& x, T& y) {
  const T kept = x;
  x = y;
  y = kept;
}

template <class T, int kMost>
struct Square {
  T at[kMost][kMost];

  void read(const T* a, int n) {
    for (int i = 0; i < n; ++i) {
#pragma clang loop unroll(disable)
      for (int j = 0; j < kMost; ++j) at[i][j] = j < n ? a[i * n + j] : T(0);
    }
  }
  /// The upper triangle of the adjoint, from the lower one of a.
  void read_adjoint(const T* a, int n) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < kMost; ++j) at[i][j] = j < n && j >= i ? conjugate(a[j * n + i]) : T(0);
  }
  void exchange_rows(int p, int q) {
#pragma clang loop unroll(disable)
    for (int j = 0; j < kMost; ++j) exchange(at[p][j], at[q][j]);
  }
  /// Row p minus `factor` times row q. What is below the diagonal is not read afterwards.
  void subtract(int p, int q, T factor) {
#pragma clang loop unroll(disable)
    for (int j = 0; j < kMost; ++j) at[p][j] = at[p][j] - factor * at[q][j];
  }
};

struct Found {
  bool odd;       ///< whether the number of row exchanges is odd
  bool singular;  ///< whether a pivot is 0
};

/// Makes w upper triangular by row operations, which it also applies to the n x m matrix b.
template <class T, int kMost>
Found eliminate(Square<T, kMost>& w, T* b, int n, int64_t m) {
  Found found{};
  for (int k = 0; k < n; ++k) {
    int p = k;
    auto largest = size_of(w.at[k][k]);
    for (int i = k + 1; i < n; ++i) {
      const auto size = size_of(w.at[i][k]);
      p = size > largest ? i : p;
      largest = size > largest ? size : largest;
    }
    if (largest == 0) {
      found.singular = true;
      continue;
    }
    if (p != k) {
      found.odd = !found.odd;
      w.exchange_rows(p, k);
      for (int64_t c = 0; c < m; ++c) exchange(b[p * m + c], b[k * m + c]);
    }
    for (int i = k + 1; i < n; ++i) {
      const T factor = w.at[i][k] / w.at[k][k];
      w.subtract(i, k, factor);
      for (int64_t c = 0; c < m; ++c) b[i * m + c] = b[i * m + c] - factor * b[k * m + c];
    }
  }
  return found;
}

/// Overwrites b by the solution of the upper triangular system.
template <class T, int kMost>
void substitute(const Square<T, kMost>& w, T* b, int n, int64_t m) {
  for (int j = n - 1; j >= 0; --j) {
    T* const solved = b + j * m;
    for (int64_t c = 0; c < m; ++c) solved[c] = solved[c] / w.at[j][j];
    for (int i = 0; i < j; ++i) {
      const T factor = w.at[i][j];
      for (int64_t c = 0; c < m; ++c) b[i * m + c] = b[i * m + c] - factor * solved[c];
    }
  }
}

/// The product of the diagonal. Factors below 1 follow products above it, so that a product whose
/// value is a number has no infinite or vanishing part.
template <class T, int kMost>
T determinant(const Square<T, kMost>& w, int n, bool odd) {
  T product = odd ? T(-1) : T(1);
  for (int large = 0, small = 0;;) {
    while (large < n && size_of(w.at[large][large]) < 1) ++large;
    while (small < n && !(size_of(w.at[small][small]) < 1)) ++small;
    if (large == n && small == n) return product;
    int& next = large == n || (small < n && size_of(product) >= 1) ? small : large;
    product = product * w.at[next][next];
    ++next;
  }
}

template <class T, int kMost>
void solve(T* result, const T* a, const T* b, int64_t n, int64_t m, int64_t a_step, int64_t b_step,
           int64_t count, int64_t item) {
  Square<T, kMost> w;
  w.read(a + item * a_step, static_cast<int>(n));
  T* const x = result + item * n * m;
  for (int64_t k = 0; k < n * m; ++k) x[k] = b[item * b_step + k];
  const Found found = eliminate(w, x, static_cast<int>(n), m);
  substitute(w, x, static_cast<int>(n), m);
  result[count * n * m + item] = T(found.singular);
}

/// The determinant of at most 3 rows by its definition.
template <class T>
T defined(const T* a, int64_t n) {
  if (n == 1) return a[0];
  if (n == 2) return a[0] * a[3] - a[1] * a[2];
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
         a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/// Whether a size is neither so small nor so large that parts of the sum may have been lost.
inline bool ordinary(float size) { return size > 0x1p-60f && size < 0x1p60f; }
inline bool ordinary(double size) { return size > 0x1p-500 && size < 0x1p500; }

template <class T, int kMost>
void determinants(T* result, const T* a, int64_t n, int64_t item) {
  if (n <= 3) {
    const T found = defined(a + item * n * n, n);
    if (ordinary(size_of(found))) {
      result[item] = found;
      return;
    }
  }
  Square<T, kMost> w;
  w.read(a + item * n * n, static_cast<int>(n));
  const Found found = eliminate<T, kMost>(w, nullptr, static_cast<int>(n), 0);
  result[item] = determinant(w, static_cast<int>(n), found.odd);
}

template <class T, int kMost>
void pivots(T* result, const T* a, int64_t n, int64_t item) {
  Square<T, kMost> w;
  w.read(a + item * n * n, static_cast<int>(n));
  const Found found = eliminate<T, kMost>(w, nullptr, static_cast<int>(n), 0);
  for (int k = 0; k < n; ++k) result[item * n + k] = w.at[k][k];
  if (found.odd) result[item * n] = T(0) - result[item * n];
}

template <class T, int kMost>
void cholesky(T* result, const T* a, int64_t size, int64_t count, int64_t item) {
  const int n = static_cast<int>(size);
  Square<T, kMost> w;  // rows become those of L's adjoint
  w.read_adjoint(a + item * n * n, n);
  bool positive = true;
  for (int k = 0; k < n; ++k) {
    const auto pivot = real(w.at[k][k]);
    positive = positive && pivot > 0;
    const auto root = libm::sqrt(pivot);
    for (int j = 0; j < kMost; ++j) w.at[k][j] = w.at[k][j] / T(root);
    w.at[k][k] = T(root);
    for (int i = k + 1; i < n; ++i) w.subtract(i, k, conjugate(w.at[k][i]));
  }
  T* const factor = result + item * n * n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) factor[i * n + j] = j <= i ? conjugate(w.at[j][i]) : T(0);
  result[count * n * n + item] = T(!positive);
}

/// Extents and strides, in elements.
struct Strided {
  int64_t m, n, k, a_m, a_k, b_k, b_n, a_step, b_step;
};

template <class T, int kMost>
void product(T* c, const T* a, const T* b, Strided s, int64_t item) {
  a += item * s.a_step;
  b += item * s.b_step;
  c += item * s.m * s.n;
  T right[kMost][kMost];
  for (int64_t p = 0; p < s.k; ++p)
    for (int64_t j = 0; j < kMost; ++j) right[p][j] = j < s.n ? b[p * s.b_k + j * s.b_n] : T(0);
  for (int64_t i = 0; i < s.m; ++i) {
    T sums[kMost] = {};
    for (int64_t p = 0; p < s.k; ++p) {
      const T factor = a[i * s.a_m + p * s.a_k];
#pragma clang loop unroll(disable)
      for (int j = 0; j < kMost; ++j) sums[j] = sums[j] + factor * right[p][j];
    }
    for (int64_t j = 0; j < s.n; ++j) c[i * s.n + j] = sums[j];
  }
}

}  // namespace

#define HITHER_SMALL_PRODUCT(NAME, T, MOST)                                                  \
  extern "C" void hither_product_small_##MOST##_##NAME(                                      \
      void* c, const void* a, const void* b, int64_t m, int64_t n, int64_t k, int64_t a_m,   \
      int64_t a_k, int64_t b_k, int64_t b_n, int64_t a_step, int64_t b_step, int64_t item) { \
    product<T, MOST>(static_cast<T*>(c), static_cast<const T*>(a), static_cast<const T*>(b), \
                     {m, n, k, a_m, a_k, b_k, b_n, a_step, b_step}, item);                   \
  }

#define HITHER_MATRICES(NAME, T, MOST)                                                             \
  /* The solutions x of a x = b with n x m matrices b. Behind them, for each matrix, 1 if it is */ \
  /* singular and else 0. Matrix i begins at i * a_step in a, and at i * b_step in b. */           \
  extern "C" void hither_matrix_solve_##MOST##_##NAME(                                             \
      void* result, const void* a, const void* b, int64_t n, int64_t m, int64_t a_step,            \
      int64_t b_step, int64_t count, int64_t item) {                                               \
    solve<T, MOST>(static_cast<T*>(result), static_cast<const T*>(a), static_cast<const T*>(b), n, \
                   m, a_step, b_step, count, item);                                                \
  }                                                                                                \
  extern "C" void hither_matrix_det_##MOST##_##NAME(void* result, const void* a, int64_t n,        \
                                                    int64_t item) {                                \
    determinants<T, MOST>(static_cast<T*>(result), static_cast<const T*>(a), n, item);             \
  }                                                                                                \
  /* n factors of each determinant. */                                                             \
  extern "C" void hither_matrix_pivots_##MOST##_##NAME(void* result, const void* a, int64_t n,     \
                                                       int64_t item) {                             \
    pivots<T, MOST>(static_cast<T*>(result), static_cast<const T*>(a), n, item);                   \
  }                                                                                                \
  /* The lower factors, then 1 for each matrix that is not positive definite, and else 0. */       \
  extern "C" void hither_matrix_cholesky_##MOST##_##NAME(void* result, const void* a, int64_t n,   \
                                                         int64_t count, int64_t item) {            \
    cholesky<T, MOST>(static_cast<T*>(result), static_cast<const T*>(a), n, count, item);          \
  }

#define HITHER_MATRICES_OF(NAME, T) \
  HITHER_SMALL_PRODUCT(NAME, T, 4)  \
  HITHER_SMALL_PRODUCT(NAME, T, 8)  \
  HITHER_SMALL_PRODUCT(NAME, T, 16) \
  HITHER_MATRICES(NAME, T, 4)       \
  HITHER_MATRICES(NAME, T, 8)       \
  HITHER_MATRICES(NAME, T, 16)      \
  HITHER_MATRICES(NAME, T, 32)

HITHER_MATRICES_OF(f32, float)
HITHER_MATRICES_OF(f64, double)
HITHER_MATRICES_OF(c64, Complex<float>)
HITHER_MATRICES_OF(c128, Complex<double>)
