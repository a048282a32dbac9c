// Unsigned integers that have the order of an array's elements.
#pragma once

#include <algorithm>
#include <cstdint>

#include <hither/dtype.h>

namespace hither::drivers::native_cpu {

/// Keys of elements whose bits are a `Bits`, of an unsigned, signed or floating dtype. NaNs are
/// last, in both directions.
template <class Bits, DTypeKind kind, bool descending>
struct SortKeys {
  static constexpr int kBits = 8 * sizeof(Bits);
  static constexpr Bits kTop = static_cast<Bits>(Bits{1} << (kBits - 1));
  static constexpr bool kFloats = kind == DTypeKind::kFloat;
  static constexpr int kMantissa = kBits == 64 ? 52 : kBits == 32 ? 23 : 10;
  /// The number of NaNs of one sign. Negative NaNs would be the first keys; subtracting their
  /// number moves them behind the positive NaNs.
  static constexpr Bits kNans = kFloats ? static_cast<Bits>((Bits{1} << kMantissa) - 1) : Bits{0};
  /// The largest key of an element that is not NaN.
  static constexpr Bits kLast = static_cast<Bits>(~Bits{0} - 2 * kNans);

  /// Different bits have different keys.
  static constexpr Bits key(Bits bits) noexcept { return turned(raised(bits)); }
  static constexpr Bits bits(Bits key) noexcept { return lowered(turned(key)); }

  /// Elements that compare equal have the same rank, and so have all NaNs.
  static constexpr Bits rank(Bits bits) noexcept {
    if constexpr (!kFloats) return key(bits);
    return std::min(key(bits == kTop ? Bits{0} : bits), static_cast<Bits>(kLast + 1));
  }

 private:
  // Without branches, which random signs would mispredict.
  static constexpr Bits raised(Bits bits) noexcept {
    if constexpr (kFloats)
      return static_cast<Bits>((bits ^ (kTop | -(bits >> (kBits - 1)))) - kNans);
    return kind == DTypeKind::kInt ? static_cast<Bits>(bits ^ kTop) : bits;
  }
  static constexpr Bits lowered(Bits key) noexcept {
    if constexpr (kFloats) {
      const Bits raw = static_cast<Bits>(key + kNans);
      return static_cast<Bits>(raw ^ (kTop | ((raw >> (kBits - 1)) - 1)));
    }
    return kind == DTypeKind::kInt ? static_cast<Bits>(key ^ kTop) : key;
  }
  static constexpr Bits turned(Bits key) noexcept {
    if constexpr (!descending) return key;
    return key <= kLast ? static_cast<Bits>(kLast - key) : key;
  }
};

static_assert(SortKeys<uint32_t, DTypeKind::kFloat, false>::key(0xff800000) == 0);
static_assert(SortKeys<uint32_t, DTypeKind::kFloat, false>::key(0x7f800000) ==
              SortKeys<uint32_t, DTypeKind::kFloat, false>::kLast);
static_assert(SortKeys<uint16_t, DTypeKind::kFloat, true>::key(0x7c00) == 0);

/// Two words that order a complex element. Elements without NaN come first, then those with only a
/// NaN imaginary part, then those with only a NaN real part, then those with two.
template <class Bits>
struct ComplexKey {
  Bits high, low;
};

template <class Bits, bool descending>
constexpr ComplexKey<Bits> complex_key(Bits real, Bits imaginary) noexcept {
  using Keys = SortKeys<Bits, DTypeKind::kFloat, descending>;
  const Bits re = Keys::rank(real), im = Keys::rank(imaginary);
  const bool real_is_nan = re > Keys::kLast, imaginary_is_nan = im > Keys::kLast;
  if (real_is_nan && imaginary_is_nan) return {static_cast<Bits>(Keys::kLast + 3), 0};
  if (real_is_nan) return {static_cast<Bits>(Keys::kLast + 2), im};
  if (imaginary_is_nan) return {static_cast<Bits>(Keys::kLast + 1), re};
  return {re, im};
}

}  // namespace hither::drivers::native_cpu
