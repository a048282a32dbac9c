// Numbers that order the elements of an array, for the sorts of the device library.
#pragma once

#include <hither/device_code.h>

namespace {

constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;

/// How bits are ordered. All members are constants of the kernel.
struct Ordering {
  enum Kind : int32_t { kUnsigned, kSigned, kFloating, kComplex };
  int32_t kind, descending;
};

struct Pair {
  uint64_t re, im;
};

/// Unsigned numbers that have the order of real elements. NaNs are last in both directions.
template <class Bits>
struct Keys {
  static constexpr int kBits = 8 * sizeof(Bits);
  static constexpr Bits kTop = static_cast<Bits>(Bits{1} << (kBits - 1));
  static constexpr int kMantissa = kBits == 64 ? 52 : kBits == 32 ? 23 : 10;
  /// The number of NaNs of one sign. Negative NaNs would be the first keys; subtracting their
  /// number moves them behind the positive NaNs.
  static constexpr Bits kNans = static_cast<Bits>((Bits{1} << (kBits > 8 ? kMantissa : 0)) - 1);
  static constexpr Bits kLastFloat = static_cast<Bits>(static_cast<Bits>(~Bits{0}) - 2 * kNans);

  /// Different elements have different keys.
  static Bits key(Bits bits, Ordering order) { return turned(raised(bits, order), order); }
  static Bits element(Bits key, Ordering order) {
    key = turned(key, order);
    if (order.kind == Ordering::kSigned) return static_cast<Bits>(key ^ kTop);
    if (order.kind != Ordering::kFloating) return key;
    key = static_cast<Bits>(key + kNans);
    return static_cast<Bits>(key ^ (kTop | ((key >> (kBits - 1)) - 1)));
  }
  /// Elements that compare equal have one rank, and so have all NaNs.
  static Bits rank(Bits bits, Ordering order) {
    if (order.kind != Ordering::kFloating) return key(bits, order);
    const Bits k = key(bits == kTop ? Bits{0} : bits, order);
    return k > kLastFloat ? static_cast<Bits>(kLastFloat + 1) : k;
  }

 private:
  static Bits raised(Bits bits, Ordering order) {
    if (order.kind == Ordering::kSigned) return static_cast<Bits>(bits ^ kTop);
    if (order.kind != Ordering::kFloating) return bits;
    return static_cast<Bits>((bits ^ (kTop | -(bits >> (kBits - 1)))) - kNans);
  }
  static Bits turned(Bits key, Ordering order) {
    const Bits last = order.kind == Ordering::kFloating ? kLastFloat : static_cast<Bits>(~Bits{0});
    return order.descending && key <= last ? static_cast<Bits>(last - key) : key;
  }
};

/// Replaces the parts of a complex element by two numbers that order it. Elements with NaNs are
/// behind all others.
template <class Bits>
void rank_parts(Bits& re, Bits& im, Ordering order) {
  constexpr Bits kLast = Keys<Bits>::kLastFloat;
  order.kind = Ordering::kFloating;
  const Bits real = Keys<Bits>::rank(re, order), imaginary = Keys<Bits>::rank(im, order);
  re = real;
  im = imaginary;
  if (real > kLast) {
    re = static_cast<Bits>(imaginary > kLast ? kLast + 3 : kLast + 2);
    im = static_cast<Bits>(imaginary > kLast ? 0 : imaginary);
  } else if (imaginary > kLast) {
    re = static_cast<Bits>(kLast + 1);
    im = real;
  }
}

/// Real elements become keys, or ranks if only their order is wanted; complex ones stay.
template <class Bits>
Bits encoded(Bits bits, Ordering order, bool as_ranks) {
  if constexpr (sizeof(Bits) <= 8)
    if (order.kind != Ordering::kComplex)
      return as_ranks ? Keys<Bits>::rank(bits, order) : Keys<Bits>::key(bits, order);
  return bits;
}
template <class Bits>
Bits decoded(Bits bits, Ordering order) {
  if constexpr (sizeof(Bits) <= 8)
    if (order.kind != Ordering::kComplex) return Keys<Bits>::element(bits, order);
  return bits;
}

/// The digit at `shift` of an encoded element.
template <class Bits>
uint32_t digit_of(Bits bits, int32_t shift, Ordering order) {
  if constexpr (sizeof(Bits) == 16) {
    rank_parts(bits.re, bits.im, order);
    return static_cast<uint32_t>(shift < 64 ? bits.im >> shift : bits.re >> (shift - 64)) % kDigits;
  } else {
    if constexpr (sizeof(Bits) == 8) {
      if (order.kind == Ordering::kComplex) {
        auto re = static_cast<uint32_t>(bits), im = static_cast<uint32_t>(bits >> 32);
        rank_parts(re, im, order);
        return (shift < 32 ? im >> shift : re >> (shift - 32)) % kDigits;
      }
    }
    return static_cast<uint32_t>(bits >> shift) % kDigits;
  }
}

}  // namespace
