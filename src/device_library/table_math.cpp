// exp, log, log1p, erf and pow for devices on which kernels are bound by double-precision
// arithmetic. Each combines the table's value near the argument with a short polynomial in the
// difference. Branches are only for rare arguments. pow of floats is computed in double.
//
// Methods: exp and log after Tang (ACM TOMS 15 (1989) 144, 16 (1990) 378), with log(c) nearly exact
// as in Gal and Bachelis (ACM TOMS 17 (1991) 26); erf by its Taylor series around the table's
// point; pow as exp of y log(x), with the logarithm in two doubles. tools/math_tables.py generates
// the tables and the coefficients. Largest errors found, in ulp
// (tests/cpp/compiler/test_table_math.cpp): exp 0.54, for subnormal results 0.76; log 0.89; log1p
// 1.13; erf 1.35; pow 0.54, for floats 0.501.
#include <stdint.h>

#include "device_library/libm.h"

namespace {

struct Pair {
  double first, second;
};

#include "device_library/erf_table.h"
#include "device_library/exp_table.h"
#include "device_library/log_table.h"
#include "device_library/log_tails.h"

constexpr double kInfinity = __builtin_inf(), kNan = __builtin_nan("");
/// Adding it to a number of at most 51 bits rounds to the nearest integer, which is then in the low
/// bits.
constexpr double kToInteger = 0x1.8p52;

inline uint64_t bits_of(double x) { return __builtin_bit_cast(uint64_t, x); }
inline double of_bits(uint64_t x) { return __builtin_bit_cast(double, x); }
inline uint32_t high_word(double x) { return static_cast<uint32_t>(bits_of(x) >> 32); }
inline double with_high_word(double x, uint32_t high) {
  return of_bits(static_cast<uint64_t>(high) << 32 | (bits_of(x) & 0xffffffff));
}

/// x * 2**k if neither is small.
inline double scaled(double x, int32_t k) {
  return with_high_word(x, high_word(x) + (static_cast<uint32_t>(k) << 20));
}

/// exp(x) = 2**(n/64) exp(r): `power` is 2**(n/64) / 2**k, `rest` is exp(r) - 1.
struct Exponential {
  double power, rest;
  int32_t k;
};

/// exp(x + more), with `more` small compared with an ulp of x times 2**10.
inline Exponential exponential(double x, double more = 0) {
  const double shifted = libm::fma(x, 0x1.71547652b82fep6, kToInteger);
  const auto n = static_cast<int32_t>(bits_of(shifted));
  const double whole = shifted - kToInteger;
  double r = libm::fma(whole, -0x1.62e42fefap-7, x);
  r = libm::fma(whole, -0x1.cf79abc9e3b3ap-46, r);
  r += more;
  const Pair entry = kExp[n & 63];
  double p = libm::fma(r, 0x1.1111223f270f3p-7, 0x1.5555701ea2921p-5);
  p = libm::fma(r, p, 0x1.5555555554ad4p-3);
  p = libm::fma(r, p, 0x1.fffffffffe5bcp-2);
  return {entry.first, libm::fma(r * r, p, r + entry.second), n >> 6};
}

/// For results that are not normal numbers, or nearly so.
double exp_of_large(double x, double more = 0) {
  if (x != x) return x;
  if (x > 710) return kInfinity;
  if (x < -746) return 0;
  const Exponential e = exponential(x, more);
  const int32_t half = e.k >> 1;
  const double power = scaled(e.power, half);
  return libm::fma(power, e.rest, power) * scaled(1, e.k - half);
}

/// x = 2**exponent z, with z near the number whose logarithm is entry `index` of the table.
struct Near {
  double z;
  int32_t exponent;
  uint32_t index;
};

/// Requires a normal positive x.
inline Near near_entry(double x) {
  constexpr uint32_t kFirst = 0x3fe69010;
  const uint32_t above = high_word(x) - kFirst;
  const int32_t exponent = static_cast<int32_t>(above) >> 20;
  return {scaled(x, -exponent), exponent, above >> 13 & 127};
}

/// The logarithm of x + more, times 2**k. Requires a normal positive x, and `more` small compared
/// with x.
inline double log_of_normal(double x, int32_t k, double more = 0) {
  const auto [z, exponent, index] = near_entry(x);
  const Pair entry = kLog[index];
  // Beyond 2**64, `more`, which is less than an ulp of 1, does not matter.
  const double part = scaled(entry.first, -(exponent < 64 ? exponent : 64));
  const double r = libm::fma(more, part, libm::fma(z, entry.first, -1.0));
  const auto e = static_cast<double>(exponent + k);
  const double table = libm::fma(e, 0x1.62e42fefa38p-1, entry.second);  // exact
  const double high = table + r;
  const double low = libm::fma(e, 0x1.ef35793c7673p-45, (table - high) + r);
  double p = libm::fma(r, -0x1.5556c2236888ap-3, 0x1.999b29bd4df3p-3);
  p = libm::fma(r, p, -0x1.ffffffff89991p-3);
  p = libm::fma(r, p, 0x1.5555555515551p-2);
  p = libm::fma(r, p, -0.5);
  return libm::fma(r * r, p, low) + high;
}

/// For arguments that are not normal positive numbers.
double log_of_special(double x) {
  if (x == 0) return -kInfinity;
  if (x < 0) return kNan;
  if (x != x || x == kInfinity) return x;
  return log_of_normal(x * 0x1p54, -54);
}

struct Sum {
  double high, low;
};

/// log(x) 2**-k to about 68 bits. Requires a normal positive x.
inline Sum exact_log(double x, int32_t k) {
  const auto [z, exponent, index] = near_entry(x);
  const Pair entry = kLog[index];
  const double product = z * entry.first;
  const double r = product - 1.0;  // exact, and so is r + rest
  const double rest = libm::fma(z, entry.first, -product);
  const auto e = static_cast<double>(exponent + k);
  const double table = libm::fma(e, 0x1.62e42fefa38p-1, entry.second);  // exact
  const double half = -0.5 * r, square = r * half;
  const double first = table + r, high = first + square;
  double low = libm::fma(e, 0x1.ef35793c7673p-45, kLogTail[index]);
  low += (table - first) + r;
  low += (first - high) + square;
  low += libm::fma(r, half, -square) + libm::fma(-r, libm::fma(-r, rest, rest), rest);
  double p = libm::fma(r, -0x1.99a3bd0780b4dp-4, 0x1.c9a7ee662a6dap-4);
  p = libm::fma(r, p, -0x1.ffffffe71e1f2p-4);
  p = libm::fma(r, p, 0x1.2492409375a1bp-3);
  p = libm::fma(r, p, -0x1.55555555555f3p-3);
  p = libm::fma(r, p, 0x1.99999999ab77ap-3);
  p = libm::fma(r, p, -0x1p-2);
  p = libm::fma(r, p, 0x1.5555555555555p-2);
  low = libm::fma(r * r, r * p, low);
  const double sum = high + low;
  return {sum, (high - sum) + low};
}

/// pow(x, y) if x is not positive, or one of them is not finite. `power` is |x|**y if both are
/// finite.
template <class T>
T pow_of_special(T x, T y, T power) {
  const T size = libm::fabs(x), infinity = __builtin_inff();
  const T part = y * T(0.5);
  const bool whole = libm::trunc(y) == y, odd = whole && libm::trunc(part) != part;
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  if (libm::fabs(y) == infinity) {
    if (size == 1) return 1;
    return (size > 1) == (y > 0) ? infinity : 0;
  }
  if (size == 0) power = y > 0 ? 0 : infinity;
  if (size == infinity) power = y > 0 ? infinity : 0;
  if (x < 0 && size != infinity && !whole) return __builtin_nanf("");
  return odd && libm::copysign(T(1), x) < 0 ? -power : power;
}

}  // namespace

extern "C" double hither_exp_f64(double x) {
  if (__builtin_expect((high_word(x) & 0x7fffffff) >= 0x40862000, 0)) return exp_of_large(x);
  const Exponential e = exponential(x);
  const double power = scaled(e.power, e.k);
  return libm::fma(power, e.rest, power);
}

extern "C" double hither_log_f64(double x) {
  if (__builtin_expect(high_word(x) - 0x00100000 >= 0x7fe00000, 0)) return log_of_special(x);
  return log_of_normal(x, 0);
}

// log(u), corrected by the rounding error of u = 1 + x.
extern "C" double hither_log1p_f64(double x) {
  const double u = 1 + x;
  if (__builtin_expect(high_word(u) - 0x00100000 >= 0x7fe00000, 0)) return log_of_special(u);
  const double lost = libm::fabs(x) < 1 ? x - (u - 1) : 1 - (u - x);
  const double y = log_of_normal(u, 0, lost);
  return x == 0 ? x : y;
}

extern "C" double hither_pow_f64(double x, double y) {
  const double size = libm::fabs(x);
  const bool small = high_word(size) < 0x00100000;
  const Sum log = exact_log(small ? size * 0x1p54 : size, small ? -54 : 0);
  const double high = y * log.high, low = libm::fma(y, log.low, libm::fma(y, log.high, -high));
  double power;
  if (__builtin_expect((high_word(high) & 0x7fffffff) >= 0x40862000, 0)) {
    power = exp_of_large(high, low);
  } else {
    const Exponential e = exponential(high, low);
    power = scaled(e.power, e.k);
    power = libm::fma(power, e.rest, power);
  }
  const bool plain = bits_of(x) - 1 < 0x7fefffffffffffff && libm::fabs(y) < kInfinity;
  return __builtin_expect(plain, 1) ? power : pow_of_special(x, y, power);
}

// Forty bits of the logarithm suffice, so fewer terms than the tables allow.
extern "C" float hither_pow_f32(float x, float y) {
  const auto bits = __builtin_bit_cast(uint32_t, libm::fabs(x));
  const bool small = bits < 0x00800000;
  const uint32_t size = small ? __builtin_bit_cast(uint32_t, libm::fabs(x) * 0x1p24f) : bits;
  // The table's intervals begin at 0x3fe69010 in the high word of a double, which is this number.
  const uint32_t above = size - 0x3f348080;
  const int32_t exponent = static_cast<int32_t>(above) >> 23;
  const Pair entry = kLog[above >> 16 & 127];
  const uint64_t mantissa = size - (static_cast<uint32_t>(exponent) << 23);
  const double z = of_bits((mantissa << 29) + 0x3800000000000000);
  const double r = libm::fma(z, entry.first, -1.0);
  // the exponent as a double, without a conversion
  const auto biased = static_cast<uint32_t>(exponent - (small ? 24 : 0)) ^ 0x80000000;
  const double e = of_bits(0x4330000000000000 | biased) - (0x1p52 + 0x1p31);
  double p = libm::fma(r, 0x1.999b29bd4df3p-3, -0.25);
  p = libm::fma(r, p, 0x1.5555555515551p-2);
  p = libm::fma(r, p, -0.5);
  const double table = libm::fma(e, 0x1.62e42fefa39efp-1, entry.second);
  const double product = y * (libm::fma(r * r, p, r) + table);
  float found;
  if (__builtin_expect((high_word(product) & 0x7fffffff) >= 0x40690000, 0)) {
    found = product > 0 ? __builtin_inff() : 0;  // beyond 200, which is out of float's range
  } else {
    const double shifted = libm::fma(product, 0x1.71547652b82fep6, kToInteger);
    const auto n = static_cast<int32_t>(bits_of(shifted));
    const double part = libm::fma(shifted - kToInteger, -0x1.62e42fefa39efp-7, product);
    const double power = scaled(kExp[n & 63].first, n >> 6);
    const double rest = libm::fma(part, 0x1.5555555554ad4p-3, 0.5);
    found = static_cast<float>(libm::fma(power, libm::fma(part * part, rest, part), power));
  }
  const bool plain = __builtin_bit_cast(uint32_t, x) - 1 < 0x7f7fffff &&
                     (__builtin_bit_cast(uint32_t, y) & 0x7fffffff) < 0x7f800000;
  return __builtin_expect(plain, 1) ? found : pow_of_special(x, y, found);
}

// With a = |x|, r the nearest multiple of 1/128, d = a - r, v = r d and w = d d:
// erf(a) = erf(r) + erf'(r) d sum over m, n of (-2 v)**m (-w)**n / (m! n! (m + 2 n + 1)).
extern "C" double hither_erf_f64(double x) {
  constexpr uint32_t kLargest = 0x4017dfff;  // slightly less than 6, from where erf rounds to 1
  const uint32_t high = high_word(x) & 0x7fffffff;
  const double a = with_high_word(x, high < kLargest ? high : kLargest);
  const double shifted = a + kToInteger / 128;
  const double r = shifted - kToInteger / 128;
  const Pair entry = kErf[bits_of(shifted) & 1023];
  const double d = a - r, v = r * d, w = d * d;
  double p = libm::fma(v, -2.0 / 45, 2.0 / 15);
  p = libm::fma(v, p, -1.0 / 3);
  p = libm::fma(v, p, 2.0 / 3);
  p = libm::fma(v, p, -1.0);
  double q = libm::fma(v, 2.0 / 9, -0.4);
  q = libm::fma(v, q, 0.5);
  q = libm::fma(v, q, -1.0 / 3);
  q = libm::fma(w, libm::fma(v, -1.0 / 6, 0.1), q);
  const double rest = libm::fma(w, q, v * p), slope = d * entry.second;
  const double y = entry.first + libm::fma(rest, slope, slope);
  const uint32_t sign = high_word(x) & 0x80000000;
  return with_high_word(y, x != x ? 0x7ff80000 : high_word(y) | sign);
}
