// exp, log and erf of doubles for devices whose double arithmetic, not their memory, is what
// kernels wait for: a table's value near the argument, and a short polynomial in what is left. No
// branch but for arguments that next to no program has.
//
// Methods: exp and log after Tang (ACM TOMS 15 (1989) 144, 16 (1990) 378), with log(c) nearly exact
// as in Gal and Bachelis (ACM TOMS 17 (1991) 26); erf by its Taylor series around the table's
// point. tools/math_tables.py writes the tables and the coefficients. Largest errors found, in
// units of the last place (tests/cpp/compiler/test_table_math.cpp): exp 0.54, where the result is
// subnormal 0.76; log 0.89; erf 1.35.
#include <stdint.h>

#include "device_library/libm.h"

namespace {

struct Pair {
  double first, second;
};

#include "device_library/erf_table.h"
#include "device_library/exp_table.h"
#include "device_library/log_table.h"

constexpr double kInfinity = __builtin_inf(), kNan = __builtin_nan("");
/// Added to a number of at most 51 bits, it leaves the nearest integer in the low bits.
constexpr double kToInteger = 0x1.8p52;

inline uint64_t bits_of(double x) { return __builtin_bit_cast(uint64_t, x); }
inline double of_bits(uint64_t x) { return __builtin_bit_cast(double, x); }
inline uint32_t high_word(double x) { return static_cast<uint32_t>(bits_of(x) >> 32); }
inline double with_high_word(double x, uint32_t high) {
  return of_bits(static_cast<uint64_t>(high) << 32 | (bits_of(x) & 0xffffffff));
}

/// x * 2**k where neither is small.
inline double scaled(double x, int32_t k) {
  return with_high_word(x, high_word(x) + (static_cast<uint32_t>(k) << 20));
}

/// exp(x) = 2**(n/64) exp(r): `power` is 2**(n/64) / 2**k, `rest` is exp(r) - 1.
struct Exponential {
  double power, rest;
  int32_t k;
};

inline Exponential exponential(double x) {
  const double shifted = libm::fma(x, 0x1.71547652b82fep6, kToInteger);
  const auto n = static_cast<int32_t>(bits_of(shifted));
  const double whole = shifted - kToInteger;
  double r = libm::fma(whole, -0x1.62e42fefap-7, x);
  r = libm::fma(whole, -0x1.cf79abc9e3b3ap-46, r);
  const Pair entry = kExp[n & 63];
  double p = libm::fma(r, 0x1.1111223f270f3p-7, 0x1.5555701ea2921p-5);
  p = libm::fma(r, p, 0x1.5555555554ad4p-3);
  p = libm::fma(r, p, 0x1.fffffffffe5bcp-2);
  return {entry.first, libm::fma(r * r, p, r + entry.second), n >> 6};
}

/// Where the result is no normal number, or nearly so.
double exp_of_large(double x) {
  if (x != x) return x;
  if (x > 710) return kInfinity;
  if (x < -746) return 0;
  const Exponential e = exponential(x);
  const int32_t half = e.k >> 1;
  const double power = scaled(e.power, half);
  return libm::fma(power, e.rest, power) * scaled(1, e.k - half);
}

/// `k` is added to the exponent. x is normal and positive.
inline double log_of_normal(double x, int32_t k) {
  constexpr uint32_t kFirst = 0x3fe69010;
  const uint32_t above = high_word(x) - kFirst;
  const int32_t exponent = static_cast<int32_t>(above) >> 20;
  const Pair entry = kLog[above >> 13 & 127];
  const double z = scaled(x, -exponent);
  const double r = libm::fma(z, entry.first, -1.0);
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

/// Of what is no normal positive number.
double log_of_special(double x) {
  if (x == 0) return -kInfinity;
  if (x < 0) return kNan;
  if (x != x || x == kInfinity) return x;
  return log_of_normal(x * 0x1p54, -54);
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

// With a = |x|, r the nearest multiple of 1/128, d = a - r, v = r d and w = d d:
// erf(a) = erf(r) + erf'(r) d sum over m, n of (-2 v)**m (-w)**n / (m! n! (m + 2 n + 1)).
extern "C" double hither_erf_f64(double x) {
  constexpr uint32_t kLargest = 0x4017dfff;  // a little less than 6, where erf is 1 to a double
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
