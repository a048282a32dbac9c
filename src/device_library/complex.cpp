// Functions of complex numbers. If libm has the function, it is used. Others use NumPy's formulas,
// so that results equal NumPy's to the last bit.
#include "device_library/complex_libm.h"

namespace {

template <class F>
struct Complex {
  F re, im;
};

template <class F>
Complex<F> multiply(Complex<F> a, Complex<F> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// Smith's algorithm without a branch, with NumPy's order of operations.
template <class F>
Complex<F> divide(Complex<F> a, Complex<F> b) {
  bool real_is_larger = libm::fabs(b.re) >= libm::fabs(b.im);
  F large = real_is_larger ? b.re : b.im;
  F small = real_is_larger ? b.im : b.re;
  F ratio = small / large;
  F scale = F(1) / (large + small * ratio);
  F re = real_is_larger ? a.re + a.im * ratio : a.re * ratio + a.im;
  F im = real_is_larger ? a.im - a.re * ratio : a.im * ratio - a.re;
  bool by_zero = b.re == 0 && b.im == 0;
  F zero = libm::fabs(b.re);
  return {by_zero ? a.re / zero : re * scale, by_zero ? a.im / zero : im * scale};
}

/// NumPy's reciprocal, which differs from divide(1, z) for infinities.
template <class F>
Complex<F> reciprocal(Complex<F> z) {
  bool imaginary_is_larger = libm::fabs(z.re) <= libm::fabs(z.im);
  F r = imaginary_is_larger ? z.re / z.im : z.im / z.re;
  F d = imaginary_is_larger ? z.re * r + z.im : z.re + z.im * r;
  return imaginary_is_larger ? Complex<F>{r / d, F(-1) / d} : Complex<F>{F(1) / d, -r / d};
}

/// Small integer powers are products, as in NumPy: (1j) ** 2 is exactly -1.
template <class F>
Complex<F> small_power(Complex<F> base, int n) {
  if (n == 1) return base;
  if (n == 2) return multiply(base, base);
  if (n == 3) return multiply(base, multiply(base, base));
  int rest = n < 0 ? -n : n;
  Complex<F> result{1, 0};
  for (int bit = 1;; base = multiply(base, base)) {
    if (rest & bit) result = multiply(result, base);
    bit <<= 1;
    if (rest < bit) break;
  }
  return n < 0 ? divide(Complex<F>{1, 0}, result) : result;
}

template <class F>
Complex<F> power(Complex<F> a, Complex<F> b) {
  if (b.re == 0 && b.im == 0) return {1, 0};
  if (a.re == 0 && a.im == 0) {
    if (b.re > 0) return {0, 0};
    F nan = F(__builtin_nan(""));
    return {nan, nan};
  }
  if (b.im == 0 && b.re > -100 && b.re < 100 && b.re == libm::floor(b.re))
    return small_power(a, static_cast<int>(b.re));
  auto z = libm::complex::pow(__builtin_complex(a.re, a.im), __builtin_complex(b.re, b.im));
  return {__real__ z, __imag__ z};
}

template <class F>
Complex<F> expm1(Complex<F> z) {
  if (!(libm::fabs(z.re) < F(__builtin_inf()))) {
    auto w = libm::complex::exp(__builtin_complex(z.re, z.im));
    return {__real__ w - 1, __imag__ w};
  }
  F half = libm::sin(z.im / 2);
  // The standard wants +0 for -0 + 0j, for which NumPy gives -0.
  F re = z.re == 0 ? F(0) : libm::expm1(z.re);
  return {re * libm::cos(z.im) - 2 * half * half, libm::exp(z.re) * libm::sin(z.im)};
}

/// For inf + yj the standard wants 1 + 0j for all finite y > 0, where C gives the 0 the sign of
/// sin(2y). tanh(conj(z)) is conj(tanh(z)).
template <class F>
Complex<F> tanh(Complex<F> z) {
  auto w = libm::complex::tanh(__builtin_complex(z.re, z.im));
  const bool infinite = libm::fabs(z.re) == F(__builtin_inf());
  return {__real__ w, infinite ? libm::copysign(F(0), z.im) : __imag__ w};
}
/// -j tanh(jz), as in the standard.
template <class F>
Complex<F> tan(Complex<F> z) {
  auto w = libm::complex::tan(__builtin_complex(z.re, z.im));
  const bool infinite = libm::fabs(z.im) == F(__builtin_inf());
  return {infinite ? libm::copysign(F(0), z.re) : __real__ w, __imag__ w};
}

template <class F>
Complex<F> log1p(Complex<F> z) {
  return {libm::log(libm::hypot(z.re + 1, z.im)), libm::atan2(z.im, z.re + 1)};
}

template <class F>
Complex<F> scaled_log(Complex<F> z, F scale) {
  auto w = libm::complex::log(__builtin_complex(z.re, z.im));
  return {__real__ w * scale, __imag__ w * scale};
}
template <class F>
Complex<F> log2(Complex<F> z) {
  return scaled_log(z, F(1.442695040888963407359924681001892137L));
}
template <class F>
Complex<F> log10(Complex<F> z) {
  return scaled_log(z, F(0.434294481903251827651128918916605082L));
}

template <class F>
Complex<F> square(Complex<F> z) {
  return {z.re * z.re - z.im * z.im, z.re * z.im + z.im * z.re};
}

/// z / |z|, and 0 for 0.
template <class F>
Complex<F> sign(Complex<F> z) {
  F size = libm::hypot(z.re, z.im);
  bool finite = size < F(__builtin_inf());
  if (size == 0) return {0, 0};
  if (finite || size != size) return {z.re / size, z.im / size};
  // If one part alone is infinite, it determines the direction. If both are, there is none.
  bool re = libm::fabs(z.re) == size, im = libm::fabs(z.im) == size;
  F nan = F(__builtin_nan(""));
  if (re && im) return {nan, nan};
  return {re ? libm::copysign(F(1), z.re) : F(0), im ? libm::copysign(F(1), z.im) : F(0)};
}

template <class F>
void store(Complex<F> z, F* out) {
  out[0] = z.re;
  out[1] = z.im;
}

}  // namespace

#define HITHER_FROM_LIBM(OP, NAME, F)                        \
  extern "C" void hither_##OP##_##NAME(F re, F im, F* out) { \
    auto z = libm::complex::OP(__builtin_complex(re, im));   \
    out[0] = __real__ z;                                     \
    out[1] = __imag__ z;                                     \
  }
#define HITHER_UNARY(OP, NAME, F)                            \
  extern "C" void hither_##OP##_##NAME(F re, F im, F* out) { \
    store<F>(OP(Complex<F>{re, im}), out);                   \
  }
#define HITHER_BINARY(OP, FUNCTION, NAME, F)                                     \
  extern "C" void hither_##OP##_##NAME(F a_re, F a_im, F b_re, F b_im, F* out) { \
    store<F>(FUNCTION(Complex<F>{a_re, a_im}, Complex<F>{b_re, b_im}), out);     \
  }

#define HITHER_COMPLEX(NAME, F)              \
  HITHER_FROM_LIBM(exp, NAME, F)             \
  HITHER_FROM_LIBM(log, NAME, F)             \
  HITHER_FROM_LIBM(sqrt, NAME, F)            \
  HITHER_FROM_LIBM(sin, NAME, F)             \
  HITHER_FROM_LIBM(cos, NAME, F)             \
  HITHER_UNARY(tan, NAME, F)                 \
  HITHER_FROM_LIBM(sinh, NAME, F)            \
  HITHER_FROM_LIBM(cosh, NAME, F)            \
  HITHER_UNARY(tanh, NAME, F)                \
  HITHER_FROM_LIBM(asin, NAME, F)            \
  HITHER_FROM_LIBM(acos, NAME, F)            \
  HITHER_FROM_LIBM(atan, NAME, F)            \
  HITHER_FROM_LIBM(asinh, NAME, F)           \
  HITHER_FROM_LIBM(acosh, NAME, F)           \
  HITHER_FROM_LIBM(atanh, NAME, F)           \
  HITHER_UNARY(expm1, NAME, F)               \
  HITHER_UNARY(log1p, NAME, F)               \
  HITHER_UNARY(log2, NAME, F)                \
  HITHER_UNARY(log10, NAME, F)               \
  HITHER_UNARY(square, NAME, F)              \
  HITHER_UNARY(reciprocal, NAME, F)          \
  HITHER_UNARY(sign, NAME, F)                \
  HITHER_BINARY(multiply, multiply, NAME, F) \
  HITHER_BINARY(divide, divide, NAME, F)     \
  HITHER_BINARY(pow, power, NAME, F)         \
  extern "C" F hither_abs_##NAME(F re, F im) { return libm::hypot(re, im); }

HITHER_COMPLEX(c64, float)
HITHER_COMPLEX(c128, double)
