#include <hither/dtype.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <hither/error.h>

namespace hither {
namespace {

constexpr std::array<std::string_view, kDTypeCount> kNames = {
    "bool",      "int8",       "int16",    "int32",         "int64",      "uint8",
    "uint16",    "uint32",     "uint64",   "float16",       "float32",    "float64",
    "complex64", "complex128", "bfloat16", "float8_e4m3fn", "float8_e5m2"};

constexpr int index(DType t) noexcept { return static_cast<int>(t); }

/// The signed (or floating, or complex) dtype of `kind` with `bytes` bytes.
constexpr DType of_size(DTypeKind kind, int bytes) noexcept {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto t = static_cast<DType>(i);
    if (kind_of(t) == kind && size_of(t) == bytes) return t;
  }
  return DType::kFloat64;
}

/// The smallest floating dtype that holds every value of an integer one, as in NumPy (float64 for
/// 64-bit integers, although it does not hold them all).
constexpr DType float_for(DType integer) noexcept {
  switch (size_of(integer)) {
    case 1:
      return DType::kFloat16;
    case 2:
      return DType::kFloat32;
    default:
      return DType::kFloat64;
  }
}

constexpr DType promote_integers(DType a, DType b) noexcept {
  if (kind_of(a) == kind_of(b)) return size_of(a) >= size_of(b) ? a : b;
  const DType with_sign = kind_of(a) == DTypeKind::kInt ? a : b;
  const DType without = kind_of(a) == DTypeKind::kInt ? b : a;
  if (size_of(with_sign) > size_of(without)) return with_sign;
  if (size_of(without) == 8) return DType::kFloat64;
  return of_size(DTypeKind::kInt, 2 * size_of(without));
}

constexpr bool is_narrow(DType t) noexcept { return is_floating(t) && size_of(t) < 4; }

/// Of two floats of at most 16 bits.
constexpr DType promote_narrow(DType a, DType b) noexcept {
  if (a == b) return a;
  if (is_float8(a) && is_float8(b)) return DType::kFloat16;
  if (is_float8(a)) return b;
  return is_float8(b) ? a : DType::kFloat32;
}

constexpr DType promote_pair(DType a, DType b) noexcept {
  if (a == b || b == DType::kBool) return a;
  if (a == DType::kBool) return b;
  if (is_integer(a) && is_integer(b)) return promote_integers(a, b);
  if (is_integer(a)) return promote_pair(b, a);
  if (is_integer(b)) {
    // bfloat16 holds 8-bit integers, as float16 does.
    if (a == DType::kBFloat16 && size_of(b) == 1) return a;
    b = float_for(b);
  }
  if (is_narrow(a) && is_narrow(b)) return promote_narrow(a, b);
  if (!is_complex(a) && !is_complex(b)) return size_of(a) >= size_of(b) ? a : b;
  const auto part_bytes = [](DType t) { return is_complex(t) ? size_of(t) / 2 : size_of(t); };
  const int bytes = part_bytes(a) > part_bytes(b) ? part_bytes(a) : part_bytes(b);
  return bytes > 4 ? DType::kComplex128 : DType::kComplex64;
}

using Table = std::array<std::array<DType, kDTypeCount>, kDTypeCount>;
constexpr Table make_table() noexcept {
  Table table{};
  for (int a = 0; a < kDTypeCount; ++a)
    for (int b = 0; b < kDTypeCount; ++b)
      table[a][b] = promote_pair(static_cast<DType>(a), static_cast<DType>(b));
  return table;
}
constexpr Table kPromoted = make_table();

}  // namespace

std::string_view name_of(DType t) noexcept { return kNames[index(t)]; }

DType dtype_named(std::string_view name) {
  for (int i = 0; i < kDTypeCount; ++i)
    if (kNames[i] == name) return static_cast<DType>(i);
  std::string known;
  for (std::string_view n : kNames) known += (known.empty() ? "" : ", ") + std::string(n);
  throw Error(ErrorKind::kType, "dtype",
              "there is no dtype \"" + std::string(name) + "\"; use one of " + known);
}

DType real_dtype(DType t) noexcept {
  if (t == DType::kComplex64) return DType::kFloat32;
  if (t == DType::kComplex128) return DType::kFloat64;
  return t;
}

DType promote(DType a, DType b) noexcept { return kPromoted[index(a)][index(b)]; }

bool can_cast_safely(DType from, DType to) noexcept {
  // NumPy calls int64 -> float64 safe although large values are rounded; so does promotion.
  return promote(from, to) == to;
}

bool can_cast_same_kind(DType from, DType to) noexcept {
  if (can_cast_safely(from, to)) return true;
  const DTypeKind a = kind_of(from), b = kind_of(to);
  // Kinds are ordered bool < uint < int < float < complex; a cast must not lower the kind.
  constexpr int order[] = {0, 2, 1, 3, 4};
  return order[static_cast<int>(a)] <= order[static_cast<int>(b)];
}

void require_arithmetic(std::string_view function, DType t) {
  if (!is_float8(t)) return;
  throw Error(ErrorKind::kType, std::string(function),
              std::string(name_of(t)) +
                  " is a dtype for storage, in which nothing is computed; cast the array to "
                  "float16, bfloat16 or float32 with astype first");
}

namespace {

struct Format {
  int mantissa, exponent;  ///< bits
  bool has_infinity;

  int bias() const noexcept { return (1 << (exponent - 1)) - 1; }
  int sign() const noexcept { return 1 << (mantissa + exponent); }
  /// The bits of infinity, or of the only NaN.
  int first_special() const noexcept {
    return has_infinity ? ((1 << exponent) - 1) << mantissa : sign() - 1;
  }
};

Format format_of(DType t) noexcept {
  if (t == DType::kFloat8E4M3FN) return {3, 4, false};
  if (t == DType::kFloat8E5M2) return {2, 5, true};
  return {7, 8, true};
}

}  // namespace

double number_of_bits(DType t, uint16_t bits) noexcept {
  const Format f = format_of(t);
  const int size = bits & (f.sign() - 1);
  const int fraction = size & ((1 << f.mantissa) - 1), exponent = size >> f.mantissa;
  double number = exponent == 0
                      ? std::ldexp(fraction, 1 - f.bias() - f.mantissa)
                      : std::ldexp(fraction + (1 << f.mantissa), exponent - f.bias() - f.mantissa);
  if (size >= f.first_special()) number = f.has_infinity && fraction == 0 ? HUGE_VAL : std::nan("");
  return std::copysign(number, (bits & f.sign()) ? -1.0 : 1.0);
}

uint16_t bits_of_number(DType t, double number) noexcept {
  const Format f = format_of(t);
  const int sign = std::signbit(number) ? f.sign() : 0;
  if (std::isnan(number)) {
    const int quiet = f.has_infinity ? 1 << (f.mantissa - 1) : 0;
    return static_cast<uint16_t>(sign | f.first_special() | quiet);
  }
  const double size = std::fabs(number);
  if (std::isinf(size)) return static_cast<uint16_t>(sign | f.first_special());
  const int exponent = std::max(size > 0 ? std::ilogb(size) : -f.bias(), 1 - f.bias());
  if (exponent > f.bias() + 1) return static_cast<uint16_t>(sign | f.first_special());
  // In units of the last bit. A sum that reaches the next power of two has the right bits too.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(size, f.mantissa - exponent)));
  const int bits = ((exponent + f.bias() - 1) << f.mantissa) + units;
  return static_cast<uint16_t>(sign | std::min(bits, f.first_special()));
}

}  // namespace hither
