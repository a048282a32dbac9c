// Functions of real numbers for random numbers, of additions, multiplications, divisions, square
// roots and fused multiply-adds only. These are correctly rounded, and the compiler fuses none
// itself, so every device gets the same bits. Errors are a few ulp. Arguments are normal numbers.
// There are no branches, so that loops over elements become vectors.
#pragma once

#include <stdint.h>

#include "device_library/libm.h"
#include "device_library/special_tables.h"

#define HITHER_INLINE inline __attribute__((always_inline))

namespace {

template <class T>
struct Pair {
  T first, second;
};

namespace real_math {

using libm::fabs;
using libm::floor;
using libm::fma;
using libm::sqrt;

constexpr double kPi = 0x1.921fb54442d18p1;
constexpr double kLog2High = 0x1.62e42fefa38p-1, kLog2Low = 0x1.ef35793c7673p-45;

HITHER_INLINE uint64_t bits_of(double x) { return __builtin_bit_cast(uint64_t, x); }
HITHER_INLINE double of_bits(uint64_t x) { return __builtin_bit_cast(double, x); }

/// 2**n for -1022 <= n <= 1023.
HITHER_INLINE double power_of_two(int64_t n) {
  return of_bits(static_cast<uint64_t>(n + 1023) << 52);
}

/// log(x) = n log(2) + log(m) with m in [sqrt(0.5), sqrt(2)), and log(m) = 2 artanh(s) with
/// s = (m - 1) / (m + 1).
HITHER_INLINE double log(double x) {
  constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  const uint64_t above = bits_of(x) - kRootOfHalf;
  const int64_t n = static_cast<int64_t>(above) >> 52;
  const double m = of_bits((above & 0x000fffffffffffff) + kRootOfHalf);
  const double f = m - 1, s = f / (2 + f), z = s * s;
  // Two chains, because a loop that rejects waits for each operation.
  const double w = z * z;
  double p = 1.0 / 19, q = 1.0 / 21;
  p = p * w + 1.0 / 15;
  q = q * w + 1.0 / 17;
  p = p * w + 1.0 / 11;
  q = q * w + 1.0 / 13;
  p = p * w + 1.0 / 7;
  q = q * w + 1.0 / 9;
  p = p * w + 1.0 / 3;
  q = q * w + 1.0 / 5;
  p += z * q;
  // 2 s = f - s f; log(m) = 2 s + 2 s z p
  const double k = static_cast<double>(static_cast<int32_t>(n));
  return k * kLog2High + (f - (s * (f - 2 * z * p) - k * kLog2Low));
}

/// log(1 + f) = f - f**2 / 2 + f**3 p(f), where p has the coefficients RandomLog.
HITHER_INLINE float log(float x) {
  constexpr uint32_t kRootOfHalf = 0x3f3504f3;
  const uint32_t above = __builtin_bit_cast(uint32_t, x) - kRootOfHalf;
  const auto k = static_cast<float>(static_cast<int32_t>(above) >> 23);
  const float f = __builtin_bit_cast(float, (above & 0x007fffff) + kRootOfHalf) - 1, z = f * f;
  constexpr int kLast = sizeof special::kRandomLogP / sizeof(float) - 1;
  float p = special::kRandomLogP[kLast];
#pragma clang loop unroll(full)
  for (int i = kLast - 1; i >= 0; --i) p = fma(p, f, special::kRandomLogP[i]);
  const float rest = fma(-0.5f, z, fma(f * z, p, k * 0x1.0bfbe8p-15f));
  return fma(k, 0x1.62ep-1f, f + rest);
}

/// log(1 + x) for x >= -1 / 2 and any larger x.
HITHER_INLINE double log1p(double x) {
  const double u = 1 + x;
  return log(u) - ((u - 1) - x) / u;
}

/// exp(x), 0 and infinity where it is out of range.
HITHER_INLINE double exp(double x) {
  const double inside = x < -745.5 ? -745.5 : x > 710 ? 710 : x;
  const double n = floor(inside * 0x1.71547652b82fep0 + 0.5);
  const double r = (inside - n * kLog2High) - n * kLog2Low;
  const double w = r * r;
  double p = 1.0 / 479001600, q = 1.0 / 6227020800;
  p = p * w + 1.0 / 3628800;
  q = q * w + 1.0 / 39916800;
  p = p * w + 1.0 / 40320;
  q = q * w + 1.0 / 362880;
  p = p * w + 1.0 / 720;
  q = q * w + 1.0 / 5040;
  p = p * w + 1.0 / 24;
  q = q * w + 1.0 / 120;
  p = p * w + 1.0 / 2;
  q = q * w + 1.0 / 6;
  p = w * (p + r * q) + r + 1;
  const auto whole = static_cast<int32_t>(n), half = whole >> 1;
  return p * power_of_two(half) * power_of_two(whole - half);
}

/// exp(x) - 1. The rounding error of u = exp(x) is divided out by x / log(u).
HITHER_INLINE double expm1(double x) {
  const double u = exp(x), inside = u < 1e-300 ? 1e-300 : u;
  const double corrected = (inside - 1) * (x / log(inside));
  return fabs(x) > 36 ? u - 1 : u == 1 ? x : corrected;
}

/// x**y for positive x.
HITHER_INLINE double pow(double x, double y) { return exp(y * log(x)); }

/// cos and sin of 2 pi t, for t in [0, 1).
HITHER_INLINE Pair<double> point_at(double t) {
  const auto quarter = static_cast<int32_t>(t * 4 + 0.5);
  const double x = (t - quarter * 0.25) * (2 * kPi), z = x * x;
  double s = -1.0 / 1307674368000;
  s = s * z + 1.0 / 6227020800;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  s = s * z * x + x;
  double c = 1.0 / 20922789888000;
  c = c * z - 1.0 / 87178291200;
  c = c * z + 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z * z + (1 - 0.5 * z);
  const bool swapped = quarter & 1;
  const double first = swapped ? s : c, second = swapped ? c : s;
  return {(quarter + 1) & 2 ? -first : first, quarter & 2 ? -second : second};
}

/// The same for t = k / 2**24.
HITHER_INLINE Pair<float> point_at(uint32_t k) {
  const uint32_t quarter = (k + (1 << 21)) >> 22;
  const auto rest = static_cast<int32_t>(k - (quarter << 22));
  const float x = static_cast<float>(rest) * 0x1.921fb6p-22f, z = x * x;
  float s = 1.0f / 362880;
  s = fma(s, z, -1.0f / 5040);
  s = fma(s, z, 1.0f / 120);
  s = fma(s, z, -1.0f / 6);
  s = fma(s * z, x, x);
  float c = 1.0f / 40320;
  c = fma(c, z, -1.0f / 720);
  c = fma(c, z, 1.0f / 24);
  c = fma(c * z, z, fma(-0.5f, z, 1.0f));
  const bool swapped = quarter & 1;
  const float first = swapped ? s : c, second = swapped ? c : s;
  return {(quarter + 1) & 2 ? -first : first, quarter & 2 ? -second : second};
}

/// log(n!) by Stirling's series for n >= 10, and from products below.
HITHER_INLINE double log_factorial(double n) {
  double product = 1, x = n + 1;
  for (int i = 0; i < 10 && x < 10; ++i) {
    product *= x;
    x += 1;
  }
  const double r = 1 / x, z = r * r;
  double series = -691.0 / 360360;
  series = series * z + 1.0 / 1188;
  series = series * z - 1.0 / 1680;
  series = series * z + 1.0 / 1260;
  series = series * z - 1.0 / 360;
  series = series * z + 1.0 / 12;
  return (x - 0.5) * log(x) - x + 0x1.d67f1c864beb5p-1 + series * r - log(product);
}

}  // namespace real_math
}  // namespace
