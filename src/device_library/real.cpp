// Functions of real numbers that neither LLVM nor libm has.
#include <stdint.h>

#include "device_library/libm.h"

namespace {

template <class F>
struct Division {
  F quotient, remainder;
};

/// Python's divmod, as NumPy's npy_divmod computes it. With infinities the quotient is a / b, as
/// the Array API standard wants it.
template <class F>
Division<F> divide(F a, F b) {
  F r = libm::fmod(a, b);
  if (b == 0) return {a / b, r};  // r is nan
  const bool infinite = libm::fabs(a) == F(__builtin_inf()) || libm::fabs(b) == F(__builtin_inf());
  F q = (a - r) / b;
  if (r != 0) {
    if ((b < 0) != (r < 0)) {
      r += b;
      q -= F(1);
    }
  } else {
    r = libm::copysign(F(0), b);
  }
  if (infinite) return {a / b, r};
  if (q == 0) return {libm::copysign(F(0), a / b), r};
  F whole = libm::floor(q);
  if (q - whole > F(0.5)) whole += F(1);
  return {whole, r};
}

/// NumPy's npy_logaddexp. Equal infinities give this infinity, and nan propagates.
template <class F>
F logaddexp(F x, F y) {
  if (x == y) return x + F(0.693147180559945309417232121458176568L);
  F d = x - y;
  if (d > 0) return x + libm::log1p(libm::exp(-d));
  if (d <= 0) return y + libm::log1p(libm::exp(d));
  return d;  // nan
}

template <class F>
F logaddexp2(F x, F y) {
  constexpr F kLog2E = F(1.442695040888963407359924681001892137L);
  if (x == y) return x + F(1);
  F d = x - y;
  if (d > 0) return x + kLog2E * libm::log1p(libm::exp2(-d));
  if (d <= 0) return y + kLog2E * libm::log1p(libm::exp2(d));
  return d;
}

template <class F>
F sign(F a) {
  F s = F((a > 0) - (a < 0));
  return a != a ? a : s;
}

/// x * x * x with an error of at most 1 ulp, and exact where the result is an integer that F has.
template <class F>
F cube(F x) {
  const F square = x * x;
  const F rest = libm::fma(x, x, -square);  // square + rest is x * x exactly
  const bool finite = libm::fabs(square) < F(__builtin_inf());
  return finite ? libm::fma(square, x, rest * x) : square * x;
}

/// 1 / sqrt(x) with an error of at most 1 ulp: a quotient of roundings, and one step of Newton's
/// method from a residual that is computed without rounding the product.
template <class F>
F rsqrt(F x) {
  const F y = F(1) / libm::sqrt(x);
  const F product = x * y;
  const F rest = libm::fma(x, y, -product);  // product + rest is x * y exactly
  const F residual = libm::fma(-rest, y, libm::fma(-product, y, F(1)));
  const bool has_residual = y > F(0) && y < F(__builtin_inf());
  return has_residual ? libm::fma(F(0.5) * y, residual, y) : y;
}

/// One step in the order of the bit patterns, which is the numerical order for floats of one sign.
template <class F, class Bits>
F nextafter(F a, F b) {
  constexpr Bits kSign = Bits(1) << (sizeof(F) * 8 - 1);
  Bits x = __builtin_bit_cast(Bits, a);
  bool away_from_zero = (b > a) == (a > F(0));
  Bits step = static_cast<Bits>(away_from_zero ? x + 1 : x - 1);
  Bits smallest = static_cast<Bits>((__builtin_bit_cast(Bits, b) & kSign) | 1);
  F next = __builtin_bit_cast(F, a == F(0) ? smallest : step);
  next = a == b ? b : next;
  return a != a || b != b ? a + b : next;
}

template <class F, class Bits>
F frexp(F x, int* exponent) {
  constexpr int kMantissa = sizeof(F) == 4 ? 23 : 52, kBias = sizeof(F) == 4 ? 126 : 1022;
  constexpr Bits kMask = sizeof(F) == 4 ? 0xff : 0x7ff;
  const bool tiny = libm::fabs(x) < F(sizeof(F) == 4 ? 0x1p-126 : 0x1p-1022);
  if (tiny) x *= F(0x1p64);
  const Bits bits = __builtin_bit_cast(Bits, x);
  const Bits biased = (bits >> kMantissa) & kMask;
  const bool has_none = x == 0 || biased == kMask;
  *exponent = has_none ? 0 : static_cast<int>(biased) - kBias - (tiny ? 64 : 0);
  const Bits half = (bits & ~(kMask << kMantissa)) | (static_cast<Bits>(kBias) << kMantissa);
  return has_none ? x : __builtin_bit_cast(F, half);
}

template <class F>
F modf(F x, F* whole) {
  *whole = libm::trunc(x);
  const bool infinite = libm::fabs(x) == F(__builtin_inf());
  return libm::copysign(infinite ? F(0) : x - *whole, x);
}

}  // namespace

#define HITHER_REAL(NAME, F)                                                             \
  extern "C" F hither_floor_divide_##NAME(F a, F b) { return divide<F>(a, b).quotient; } \
  extern "C" F hither_remainder_##NAME(F a, F b) { return divide<F>(a, b).remainder; }   \
  extern "C" F hither_logaddexp_##NAME(F a, F b) { return logaddexp<F>(a, b); }          \
  extern "C" F hither_logaddexp2_##NAME(F a, F b) { return logaddexp2<F>(a, b); }        \
  extern "C" F hither_cube_##NAME(F a) { return cube<F>(a); }                            \
  extern "C" F hither_rsqrt_##NAME(F a) { return rsqrt<F>(a); }                          \
  extern "C" F hither_sign_##NAME(F a) { return sign<F>(a); }

HITHER_REAL(f32, float)
HITHER_REAL(f64, double)

extern "C" float hither_nextafter_f32(float a, float b) { return nextafter<float, uint32_t>(a, b); }
extern "C" double hither_nextafter_f64(double a, double b) {
  return nextafter<double, uint64_t>(a, b);
}
extern "C" _Float16 hither_nextafter_f16(_Float16 a, _Float16 b) {
  return nextafter<_Float16, uint16_t>(a, b);
}
/// Of bfloat16 bits.
extern "C" uint16_t hither_nextafter_bf16(uint16_t a, uint16_t b) {
  constexpr uint16_t kSign = 0x8000, kQuiet = 0x40;
  const float x = __builtin_bit_cast(float, static_cast<uint32_t>(a) << 16);
  const float y = __builtin_bit_cast(float, static_cast<uint32_t>(b) << 16);
  if (x != x) return static_cast<uint16_t>(a | kQuiet);
  if (y != y) return static_cast<uint16_t>(b | kQuiet);
  if (x == y) return b;
  if (x == 0) return static_cast<uint16_t>((b & kSign) | 1);
  return static_cast<uint16_t>((y > x) == (x > 0) ? a + 1 : a - 1);
}
extern "C" float hither_frexp_f32(float x, int* exponent) {
  return frexp<float, uint32_t>(x, exponent);
}
extern "C" double hither_frexp_f64(double x, int* exponent) {
  return frexp<double, uint64_t>(x, exponent);
}
extern "C" float hither_modf_f32(float x, float* whole) { return modf(x, whole); }
extern "C" double hither_modf_f64(double x, double* whole) { return modf(x, whole); }
