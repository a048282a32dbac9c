// libm's complex functions with one name for float and double. But for exp they are those of the C
// library, or for devices without one they consist of real functions. Special values are those of
// C's Annex G.
#pragma once

#include "device_library/libm.h"

namespace libm::complex {

/// e^z without branches, so that loops are vectorised.
template <class F>
auto exp_of_parts(F re, F im) {
  constexpr F kInfinity = F(__builtin_inf());
  const bool is_large = re > F(sizeof(F) == 4 ? 88 : 709);  // e^re alone may overflow
  const F e = libm::exp(is_large ? re / 4 : re), c = libm::cos(im), s = libm::sin(im);
  F x = e * c, y = e * s;
  x = is_large ? x * e * e * e : x;
  y = is_large ? y * e * e * e : y;
  y = im == 0 ? im : y;
  const bool is_wild = !(libm::fabs(im) < kInfinity);  // the cosine and sine are NaN
  x = is_wild && re == -kInfinity ? F(0) : is_wild && re == kInfinity ? re : x;
  y = is_wild && re == -kInfinity ? libm::copysign(F(0), im) : y;
  return __builtin_complex(x, y);
}
inline _Complex float exp(_Complex float z) { return exp_of_parts(__real__ z, __imag__ z); }
inline _Complex double exp(_Complex double z) { return exp_of_parts(__real__ z, __imag__ z); }

}  // namespace libm::complex

#ifndef HITHER_PORTABLE
namespace libm::complex {

#define HITHER_LIBM_COMPLEX(NAME)                                                  \
  inline _Complex float NAME(_Complex float z) { return __builtin_c##NAME##f(z); } \
  inline _Complex double NAME(_Complex double z) { return __builtin_c##NAME(z); }

HITHER_LIBM_COMPLEX(log)
HITHER_LIBM_COMPLEX(sqrt)
HITHER_LIBM_COMPLEX(sin)
HITHER_LIBM_COMPLEX(cos)
HITHER_LIBM_COMPLEX(tan)
HITHER_LIBM_COMPLEX(sinh)
HITHER_LIBM_COMPLEX(cosh)
HITHER_LIBM_COMPLEX(tanh)
HITHER_LIBM_COMPLEX(asin)
HITHER_LIBM_COMPLEX(acos)
HITHER_LIBM_COMPLEX(atan)
HITHER_LIBM_COMPLEX(asinh)
HITHER_LIBM_COMPLEX(acosh)
HITHER_LIBM_COMPLEX(atanh)

inline _Complex float pow(_Complex float a, _Complex float b) { return __builtin_cpowf(a, b); }
inline _Complex double pow(_Complex double a, _Complex double b) { return __builtin_cpow(a, b); }

#undef HITHER_LIBM_COMPLEX

}  // namespace libm::complex
#else
namespace libm::complex {
namespace parts {

template <class F>
struct Parts {
  F re, im;
};

template <class F>
constexpr F kInfinity = F(__builtin_inf());
template <class F>
constexpr F kNan = F(__builtin_nan(""));
template <class F>
constexpr F kHalfPi = F(1.570796326794896619231321691639751442L);
/// The largest argument for which the exponential function is finite, and half the exponent range.
template <class F>
constexpr F kMostExp = F(sizeof(F) == 4 ? 88 : 709);
template <class F>
constexpr F kLarge = F(sizeof(F) == 4 ? 0x1p60 : 0x1p500);

template <class F>
bool is_infinite(F x) {
  return libm::fabs(x) == kInfinity<F>;
}
template <class F>
bool is_finite(F x) {
  return libm::fabs(x) < kInfinity<F>;
}
template <class F>
bool is_nan(F x) {
  return x != x;
}

/// (e^x c, e^x s) / divisor, if e^x alone may overflow.
template <class F>
Parts<F> scaled_exp(F x, F c, F s, F divisor) {
  if (x > kMostExp<F> && is_finite(x)) {
    F half = libm::exp(x / 2);
    return {half / divisor * c * half, half / divisor * s * half};
  }
  F e = libm::exp(x) / divisor;
  return {e * c, e * s};
}

/// log(|z|) near |z| = 1, from |z|^2 - 1 in twice the precision.
template <class F>
F log_near_one(F large, F small) {
  F minus = large - 1, plus = large + 1;
  F p = minus * plus, q = small * small;
  F p_rest = libm::fma(minus, plus, -p) + minus * (large - (plus - 1));
  F q_rest = libm::fma(small, small, -q);
  F s = p + q;
  F s_rest = libm::fabs(p) > libm::fabs(q) ? q - (s - p) : p - (s - q);
  return libm::log1p(s + (s_rest + p_rest + q_rest)) / 2;
}

template <class F>
Parts<F> log(Parts<F> z) {
  F x = libm::fabs(z.re), y = libm::fabs(z.im);
  F large = x > y ? x : y, small = x > y ? y : x;
  F size = libm::hypot(x, y), angle = libm::atan2(z.im, z.re);
  if (size > F(0.5) && size < 2 && large > F(0.5)) return {log_near_one(large, small), angle};
  if (large > kLarge<F> && is_finite(large))
    return {libm::log(libm::hypot(x / 4, y / 4)) + F(1.386294361119890618834464242916353136L),
            angle};
  return {libm::log(size), angle};
}

template <class F>
Parts<F> sqrt(Parts<F> z) {
  F x = z.re, y = z.im;
  if (x == 0 && y == 0) return {0, y};
  if (is_infinite(y)) return {kInfinity<F>, y};
  if (is_nan(x)) return {x, kNan<F>};
  if (x == kInfinity<F>) return {x, is_nan(y) ? y : libm::copysign(F(0), y)};
  if (x == -kInfinity<F>) return {is_nan(y) ? y : F(0), libm::copysign(-x, y)};
  F size = libm::fabs(x) > libm::fabs(y) ? libm::fabs(x) : libm::fabs(y);
  // Scaling keeps sums and squares within the exponent range.
  F up = size > kLarge<F> ? 1 / kLarge<F> : size < 1 / kLarge<F> ? kLarge<F> : F(1);
  F down = size > kLarge<F>       ? F(sizeof(F) == 4 ? 0x1p30 : 0x1p250)
           : size < 1 / kLarge<F> ? F(sizeof(F) == 4 ? 0x1p-30 : 0x1p-250)
                                  : F(1);
  x *= up;
  y *= up;
  F t = libm::sqrt((libm::fabs(x) + libm::hypot(x, y)) / 2);
  F other = libm::fabs(y) / (2 * t);
  if (x >= 0) return {t * down, libm::copysign(other * down, y)};
  return {other * down, libm::copysign(t * down, y)};
}

template <class F>
Parts<F> sinh(Parts<F> z) {
  F x = z.re, y = z.im;
  if (y == 0) return {libm::sinh(x), y};
  if (!is_finite(y)) return {x == 0 || is_infinite(x) ? x : kNan<F>, kNan<F>};
  F c = libm::cos(y), s = libm::sin(y);
  if (libm::fabs(x) < kMostExp<F>) return {libm::sinh(x) * c, libm::cosh(x) * s};
  Parts<F> w = scaled_exp(libm::fabs(x), c, s, F(2));
  return {x < 0 ? -w.re : w.re, w.im};
}

template <class F>
Parts<F> cosh(Parts<F> z) {
  F x = z.re, y = z.im;
  if (y == 0) return {libm::cosh(x), is_nan(x) ? y : libm::copysign(F(1), x) * y};
  if (!is_finite(y)) {
    if (is_infinite(x)) return {kInfinity<F>, kNan<F>};
    return {kNan<F>, x == 0 ? x : kNan<F>};
  }
  F c = libm::cos(y), s = libm::sin(y);
  if (libm::fabs(x) < kMostExp<F>) return {libm::cosh(x) * c, libm::sinh(x) * s};
  Parts<F> w = scaled_exp(libm::fabs(x), c, s, F(2));
  return {w.re, x < 0 ? -w.im : w.im};
}

/// Kahan's formula, which needs no cosh.
template <class F>
Parts<F> tanh(Parts<F> z) {
  F x = z.re, y = z.im;
  if (is_nan(x)) return {x, y == 0 ? y : kNan<F>};
  if (!is_finite(y) && !is_infinite(x)) return {x == 0 ? x : kNan<F>, kNan<F>};
  constexpr F kFlat = sizeof(F) == 4 ? 11 : 22;
  if (libm::fabs(x) > kFlat) {
    F sign = is_finite(y) ? 4 * libm::sin(y) * libm::cos(y) : y;
    F small = libm::exp(-2 * libm::fabs(x));
    return {libm::copysign(F(1), x), is_finite(y) ? sign * small : libm::copysign(F(0), y)};
  }
  F t = libm::tan(y), s = libm::sinh(x);
  F beta = 1 + t * t, rho = libm::sqrt(1 + s * s);
  if (is_infinite(beta)) return {rho / s, 1 / t};
  F d = 1 + beta * s * s;
  return {beta * rho * s / d, t / d};
}

template <class F>
Parts<F> multiplied_by_i(Parts<F> z) {
  return {-z.im, z.re};
}
template <class F>
Parts<F> divided_by_i(Parts<F> z) {
  return {z.im, -z.re};
}

template <class F>
Parts<F> sin(Parts<F> z) {
  return divided_by_i(sinh(multiplied_by_i(z)));
}
template <class F>
Parts<F> cos(Parts<F> z) {
  return cosh(multiplied_by_i(z));
}
template <class F>
Parts<F> tan(Parts<F> z) {
  return divided_by_i(tanh(multiplied_by_i(z)));
}

/// Square roots of 1 + z and 1 - z, from which the inverse functions are computed as Kahan does:
/// the products below never cancel.
template <class F>
Parts<F> root_of_sum(Parts<F> z) {
  return sqrt(Parts<F>{1 + z.re, z.im});
}
template <class F>
Parts<F> root_of_difference(Parts<F> z) {
  return sqrt(Parts<F>{1 - z.re, -z.im});
}

template <class F>
Parts<F> asin(Parts<F> z) {
  if (is_infinite(z.re) || is_infinite(z.im))
    return {libm::copysign(libm::atan2(libm::fabs(z.re), libm::fabs(z.im)), z.re),
            libm::copysign(kInfinity<F>, z.im)};
  if (z.re == 0 && is_nan(z.im)) return z;
  Parts<F> a = root_of_difference(z), b = root_of_sum(z);
  return {libm::atan2(z.re, a.re * b.re - a.im * b.im), libm::asinh(a.re * b.im - a.im * b.re)};
}

template <class F>
Parts<F> acos(Parts<F> z) {
  if (is_infinite(z.re) || is_infinite(z.im))
    return {libm::atan2(libm::fabs(z.im), z.re), libm::copysign(kInfinity<F>, -z.im)};
  if (z.re == 0 && is_nan(z.im)) return {kHalfPi<F>, z.im};
  Parts<F> a = root_of_difference(z), b = root_of_sum(z);
  return {2 * libm::atan2(a.re, b.re), libm::asinh(b.re * a.im - b.im * a.re)};
}

template <class F>
Parts<F> acosh(Parts<F> z) {
  if (is_infinite(z.re) || is_infinite(z.im)) return {kInfinity<F>, libm::atan2(z.im, z.re)};
  if (z.re == 0 && is_nan(z.im)) return {z.im, kHalfPi<F>};
  Parts<F> a = sqrt(Parts<F>{z.re - 1, z.im}), b = root_of_sum(z);
  return {libm::asinh(a.re * b.re + a.im * b.im), 2 * libm::atan2(a.im, b.re)};
}

template <class F>
Parts<F> asinh(Parts<F> z) {
  if (z.im == 0 && is_nan(z.re)) return z;
  return divided_by_i(asin(multiplied_by_i(z)));
}

template <class F>
Parts<F> atanh(Parts<F> z) {
  F x = libm::fabs(z.re), y = z.im;
  if (is_infinite(x) || is_infinite(y))
    return {libm::copysign(F(0), z.re), is_nan(y) ? y : libm::copysign(kHalfPi<F>, y)};
  if (is_nan(x) || is_nan(y)) return {x == 0 ? z.re : kNan<F>, kNan<F>};
  if (x > kLarge<F> || libm::fabs(y) > kLarge<F>) {  // 1 / z
    F size = libm::hypot(x, y);
    return {libm::copysign(x / size / size, z.re), libm::copysign(kHalfPi<F>, y)};
  }
  F away = (1 - x) * (1 - x) + y * y;
  F re = libm::log1p(4 * x / away) / 4;
  F im = libm::atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2;
  return {libm::copysign(re, z.re), im};
}

template <class F>
Parts<F> atan(Parts<F> z) {
  return divided_by_i(atanh(multiplied_by_i(z)));
}

}  // namespace parts

#define HITHER_COMPLEX_OF_PARTS(NAME, F)                                      \
  inline _Complex F NAME(_Complex F z) {                                      \
    parts::Parts<F> w = parts::NAME(parts::Parts<F>{__real__ z, __imag__ z}); \
    return __builtin_complex(w.re, w.im);                                     \
  }
#define HITHER_COMPLEX_OF_FLOATS(F)                           \
  HITHER_COMPLEX_OF_PARTS(log, F)                             \
  HITHER_COMPLEX_OF_PARTS(sqrt, F)                            \
  HITHER_COMPLEX_OF_PARTS(sin, F)                             \
  HITHER_COMPLEX_OF_PARTS(cos, F)                             \
  HITHER_COMPLEX_OF_PARTS(tan, F)                             \
  HITHER_COMPLEX_OF_PARTS(sinh, F)                            \
  HITHER_COMPLEX_OF_PARTS(cosh, F)                            \
  HITHER_COMPLEX_OF_PARTS(tanh, F)                            \
  HITHER_COMPLEX_OF_PARTS(asin, F)                            \
  HITHER_COMPLEX_OF_PARTS(acos, F)                            \
  HITHER_COMPLEX_OF_PARTS(atan, F)                            \
  HITHER_COMPLEX_OF_PARTS(asinh, F)                           \
  HITHER_COMPLEX_OF_PARTS(acosh, F)                           \
  HITHER_COMPLEX_OF_PARTS(atanh, F)                           \
  inline _Complex F pow(_Complex F a, _Complex F b) {         \
    _Complex F w = log(a);                                    \
    F re = __real__ b * __real__ w - __imag__ b * __imag__ w; \
    F im = __real__ b * __imag__ w + __imag__ b * __real__ w; \
    return exp(__builtin_complex(re, im));                    \
  }

HITHER_COMPLEX_OF_FLOATS(float)
HITHER_COMPLEX_OF_FLOATS(double)

#undef HITHER_COMPLEX_OF_PARTS
#undef HITHER_COMPLEX_OF_FLOATS

}  // namespace libm::complex
#endif
