// Integer arithmetic with Python's signs. If the mathematical result is undefined, the result is
// NumPy's.
#include <stdint.h>

namespace {

template <class T>
constexpr bool kSigned = T(-1) < T(0);

/// Replaces divisors on which the hardware faults: the result is never 0 or -1.
template <class T>
constexpr T harmless(T b) {
  return b == 0 || (kSigned<T> && b == T(-1)) ? T(1) : b;
}

// CPUs multiply floats in vectors but divide integers one at a time. The reciprocal of a divisor
// that all items share is computed once.

/// x / y for y != 0. The reciprocal is slightly too small. Each product with it is therefore at
/// most the remaining quotient, and is too small by less than 1 plus a 2^49th of it.
constexpr uint64_t long_quotient(uint64_t x, uint64_t y) {
  const double reciprocal = (1 - 0x1p-50) / static_cast<double>(y);
  const auto most = static_cast<uint64_t>(static_cast<double>(x) * reciprocal);
  const uint64_t left = x - most * y;
  const auto more = static_cast<uint64_t>(static_cast<double>(left) * reciprocal);
  return most + more + (left - more * y >= y);
}

template <int kBytes>
struct Exact {
  using Float = float;
};
template <>
struct Exact<4> {
  using Float = double;
};

/// a / d towards zero, for d != 0 and d != -1. For up to 32 bits, adding half a unit makes the
/// truncated product exact: multiples of d stay at or above their quotient, and other numbers stay
/// below the next one by more than the rounding error.
template <class T>
constexpr T quotient(T a, T d) {
  if constexpr (sizeof(T) > 4) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(d);
    const uint64_t q = long_quotient(a < 0 ? 0 - x : x, d < 0 ? 0 - y : y);
    return static_cast<T>((a < 0) != (d < 0) ? 0 - q : q);
  } else {
    using Float = typename Exact<sizeof(T)>::Float;
    const Float half = a < 0 ? Float(-0.5) : Float(0.5);
    return static_cast<T>((static_cast<Float>(a) + half) * (1 / static_cast<Float>(d)));
  }
}

template <class T>
constexpr T floor_divide(T a, T b) {
  T d = harmless(b);
  T q = quotient(a, d);
  T r = static_cast<T>(a - q * d);
  if constexpr (kSigned<T>) {
    q = static_cast<T>(q - (r != 0 && ((r ^ d) < 0)));
    // Unsigned arithmetic makes -MIN wrap around to MIN.
    if (b == T(-1)) q = static_cast<T>(0 - static_cast<uint64_t>(a));
  }
  return b == 0 ? T(0) : q;
}

template <class T>
constexpr T remainder(T a, T b) {
  T d = harmless(b);
  T r = static_cast<T>(a - quotient(a, d) * d);
  if constexpr (kSigned<T>) {
    if (r != 0 && ((r ^ d) < 0)) r = static_cast<T>(r + d);
    if (b == T(-1)) r = 0;
  }
  return b == 0 ? T(0) : r;
}

template <class T>
constexpr T power(T base, T exponent) {
  if constexpr (kSigned<T>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base == T(-1)) return exponent & 1 ? T(-1) : T(1);
      return 0;
    }
  }
  uint64_t result = 1;
  uint64_t square = static_cast<uint64_t>(base);
  for (uint64_t e = static_cast<uint64_t>(exponent); e != 0; e >>= 1) {
    if (e & 1) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

template <class T>
constexpr T sign(T a) {
  return static_cast<T>((a > 0) - (a < 0));
}

}  // namespace

#define HITHER_INTEGER(NAME, T)                                                       \
  extern "C" T hither_floor_divide_##NAME(T a, T b) { return floor_divide<T>(a, b); } \
  extern "C" T hither_remainder_##NAME(T a, T b) { return remainder<T>(a, b); }       \
  extern "C" T hither_pow_##NAME(T a, T b) { return power<T>(a, b); }                 \
  extern "C" T hither_sign_##NAME(T a) { return sign<T>(a); }

HITHER_INTEGER(i8, int8_t)
HITHER_INTEGER(i16, int16_t)
HITHER_INTEGER(i32, int32_t)
HITHER_INTEGER(i64, int64_t)
HITHER_INTEGER(u8, uint8_t)
HITHER_INTEGER(u16, uint16_t)
HITHER_INTEGER(u32, uint32_t)
HITHER_INTEGER(u64, uint64_t)
