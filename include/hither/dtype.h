// Element types of arrays: those of the Array API, and float16.
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
};
inline constexpr int kDTypeCount = 14;

enum class DTypeKind : uint8_t { kBool, kInt, kUInt, kFloat, kComplex };

/// Size of one element in bytes (bool is one byte holding 0 or 1), by dtype.
inline constexpr int8_t kDTypeSizes[kDTypeCount] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8, 16};
constexpr int size_of(DType t) noexcept { return kDTypeSizes[static_cast<int>(t)]; }

constexpr DTypeKind kind_of(DType t) noexcept {
  if (t == DType::kBool) return DTypeKind::kBool;
  if (t <= DType::kInt64) return DTypeKind::kInt;
  if (t <= DType::kUInt64) return DTypeKind::kUInt;
  if (t <= DType::kFloat64) return DTypeKind::kFloat;
  return DTypeKind::kComplex;
}
constexpr bool is_integer(DType t) noexcept { return t >= DType::kInt8 && t <= DType::kUInt64; }
constexpr bool is_floating(DType t) noexcept { return kind_of(t) == DTypeKind::kFloat; }
constexpr bool is_complex(DType t) noexcept { return kind_of(t) == DTypeKind::kComplex; }

/// The Array API's name: "bool", "int8", ..., "complex128".
HITHER_EXPORT std::string_view name_of(DType t) noexcept;
/// The dtype of that name; Error kType when there is none.
HITHER_EXPORT DType dtype_named(std::string_view name);
/// The real dtype of a complex one (float32 or float64); other dtypes unchanged.
HITHER_EXPORT DType real_dtype(DType t) noexcept;
/// The smallest dtype that both convert to, as NumPy's promote_types defines it (the Array API's
/// table, with int x float and bool x number defined as in NumPy).
HITHER_EXPORT DType promote(DType a, DType b) noexcept;
/// NumPy's casting="safe" (no value can change) and "same_kind" rules.
HITHER_EXPORT bool can_cast_safely(DType from, DType to) noexcept;
HITHER_EXPORT bool can_cast_same_kind(DType from, DType to) noexcept;

}  // namespace hither
