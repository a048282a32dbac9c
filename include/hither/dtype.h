// Element types of arrays: those of the Array API, float16, bfloat16 and two of eight bits.
#pragma once

#include <cstdint>
#include <string_view>

#include <hither/export.h>

namespace hither {

enum class DType : uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
  kBFloat16,
  kFloat8E4M3FN,  ///< without infinities: 448 is the largest number
  kFloat8E5M2,    ///< the upper half of float16
};
inline constexpr int kDTypeCount = 17;

enum class DTypeKind : uint8_t { kBool, kInt, kUInt, kFloat, kComplex };

/// Size of one element in bytes (bool is one byte holding 0 or 1), by dtype.
inline constexpr int8_t kDTypeSizes[kDTypeCount] = {1, 1, 2, 4, 8,  1, 2, 4, 8,
                                                    2, 4, 8, 8, 16, 2, 1, 1};
constexpr int size_of(DType t) noexcept { return kDTypeSizes[static_cast<int>(t)]; }

constexpr DTypeKind kind_of(DType t) noexcept {
  if (t == DType::kBool) return DTypeKind::kBool;
  if (t <= DType::kInt64) return DTypeKind::kInt;
  if (t <= DType::kUInt64) return DTypeKind::kUInt;
  if (t <= DType::kFloat64) return DTypeKind::kFloat;
  return t <= DType::kComplex128 ? DTypeKind::kComplex : DTypeKind::kFloat;
}
constexpr bool is_integer(DType t) noexcept { return t >= DType::kInt8 && t <= DType::kUInt64; }
constexpr bool is_floating(DType t) noexcept { return kind_of(t) == DTypeKind::kFloat; }
constexpr bool is_complex(DType t) noexcept { return kind_of(t) == DTypeKind::kComplex; }
/// float8 dtypes are stored, copied and cast; nothing computes in them.
constexpr bool is_float8(DType t) noexcept { return t >= DType::kFloat8E4M3FN; }
/// The dtype in which sums and products of `t` are computed: float32 for floats of 16 bits.
constexpr DType wide_dtype(DType t) noexcept {
  return t == DType::kFloat16 || t == DType::kBFloat16 ? DType::kFloat32 : t;
}

/// The Array API's name, or ml_dtypes': "bool", "int8", ..., "bfloat16", "float8_e4m3fn".
HITHER_EXPORT std::string_view name_of(DType t) noexcept;
/// The dtype of that name; Error kType when there is none.
HITHER_EXPORT DType dtype_named(std::string_view name);
/// The real dtype of a complex one (float32 or float64); other dtypes unchanged.
HITHER_EXPORT DType real_dtype(DType t) noexcept;
/// The smallest dtype that both convert to, as NumPy's promote_types defines it (the Array API's
/// table, with int x float and bool x number defined as in NumPy). bfloat16 and float16 give
/// float32; bfloat16 and an integer give the smallest float of those two that holds both.
HITHER_EXPORT DType promote(DType a, DType b) noexcept;
/// NumPy's casting="safe" (no value can change) and "same_kind" rules.
HITHER_EXPORT bool can_cast_safely(DType from, DType to) noexcept;
HITHER_EXPORT bool can_cast_same_kind(DType from, DType to) noexcept;
/// Error kType, which names `function` and the remedy, if `t` is a float8 dtype.
HITHER_EXPORT void require_arithmetic(std::string_view function, DType t);
/// The number that a bfloat16 or float8 element with these bits is, and the bits of the element
/// nearest to a number (ties to even; numbers too large give infinity, or NaN without infinities).
HITHER_EXPORT double number_of_bits(DType t, uint16_t bits) noexcept;
HITHER_EXPORT uint16_t bits_of_number(DType t, double number) noexcept;

}  // namespace hither
