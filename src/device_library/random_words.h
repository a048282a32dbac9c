// Philox 4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2,
// 3; SC11), and the numbers of one element of a draw.
#pragma once

#include <stdint.h>

#include "device_library/random_math.h"

namespace {

/// Four words of 32 bits. 64-bit multiplications have vector instructions, 32-bit ones that keep
/// the high half do not.
struct Words {
  uint64_t x[4];
};

constexpr uint64_t kLow = 0xffffffff;

/// The words of the counter (first, second).
HITHER_INLINE Words philox(uint64_t first, uint64_t second, uint64_t key) {
  uint64_t x0 = first & kLow, x1 = first >> 32, x2 = second & kLow, x3 = second >> 32;
  uint64_t a = key & kLow, b = key >> 32;
  for (int round = 0; round < 10; ++round) {
    // Bits above the lower 32 are masked only before multiplications, where this is free.
    const uint64_t p = 0xD2511F53 * (x0 & kLow), q = 0xCD9E8D57 * (x2 & kLow);
    x0 = (q >> 32) ^ x1 ^ a;
    x1 = q;
    x2 = (p >> 32) ^ x3 ^ b;
    x3 = p;
    a = (a + 0x9E3779B9) & kLow;
    b = (b + 0xBB67AE85) & kLow;
  }
  return {{x0 & kLow, x1 & kLow, x2 & kLow, x3 & kLow}};
}

/// The key of a draw, from two doubles whose last 32 bits are its halves. Integers alone, because
/// GPUs compute those of a kernel's arguments once for all items of a warp.
HITHER_INLINE uint64_t key_of(double low, double high) {
  return real_math::bits_of(high) << 32 | (real_math::bits_of(low) & kLow);
}

/// In [0, 1): a multiple of 2**-53, or of 2**-24.
HITHER_INLINE double unit64(uint64_t x, uint64_t y) {
  return static_cast<double>(static_cast<int64_t>((x >> 5) << 26 | y >> 6)) * 0x1p-53;
}
HITHER_INLINE float unit32(uint64_t x) {
  return static_cast<float>(static_cast<int32_t>(x >> 8)) * 0x1p-24f;
}

/// In (0, 1), of 32 bits.
HITHER_INLINE double inner_unit(uint64_t x) {
  return (static_cast<double>(static_cast<int64_t>(x)) + 0.5) * 0x1p-32;
}

/// Two normal numbers by Box and Muller's method.
HITHER_INLINE Pair<double> two_normals(const Words& w) {
  const double radius = real_math::sqrt(-2 * real_math::log(1 - unit64(w.x[0], w.x[1])));
  const Pair<double> point = real_math::point_at(unit64(w.x[2], w.x[3]));
  return {radius * point.first, radius * point.second};
}

HITHER_INLINE Pair<float> two_normals(uint64_t x, uint64_t y) {
  const float u = libm::fma(static_cast<float>(static_cast<uint32_t>(x)), 0x1p-32f, 0x1p-33f);
  const float radius = real_math::sqrt(-2 * real_math::log(u));
  const Pair<float> point = real_math::point_at(static_cast<uint32_t>(y >> 8));
  return {radius * point.first, radius * point.second};
}

/// The random numbers of one element: as many as its distribution takes.
class Stream {
 public:
  Stream(uint64_t item, double low, double high) : item_(item), key_(key_of(low, high)) {}

  Words next() { return philox(item_, block_++, key_); }
  /// Whether a loop may continue. No loop of random numbers comes near the limit, but one with a
  /// parameter that is not a number would not end.
  bool goes_on() const { return block_ < 10000; }

  /// In (0, 1].
  double unit() {
    const Words w = next();
    return 1 - unit64(w.x[0], w.x[1]);
  }
  double exponential() { return -real_math::log(unit()); }
  double normal() { return two_normals(next()).first; }

 private:
  uint64_t item_, key_, block_ = 0;
};

}  // namespace
