#include <doctest/doctest.h>
#include <hither/dtype.h>
#include <hither/error.h>

using namespace hither;

TEST_CASE("dtype: names and dtypes correspond") {
  for (int i = 0; i < kDTypeCount; ++i) CHECK(dtype_named(name_of(DType(i))) == DType(i));
  CHECK_THROWS_AS(dtype_named("int7"), Error);
}

TEST_CASE("dtype: promotion is NumPy's") {
  CHECK(promote(DType::kInt8, DType::kUInt8) == DType::kInt16);
  CHECK(promote(DType::kInt64, DType::kUInt64) == DType::kFloat64);
  CHECK(promote(DType::kInt32, DType::kUInt8) == DType::kInt32);
  CHECK(promote(DType::kInt8, DType::kFloat16) == DType::kFloat16);
  CHECK(promote(DType::kInt16, DType::kFloat16) == DType::kFloat32);
  CHECK(promote(DType::kInt32, DType::kFloat32) == DType::kFloat64);
  CHECK(promote(DType::kBool, DType::kFloat16) == DType::kFloat16);
  CHECK(promote(DType::kComplex64, DType::kFloat64) == DType::kComplex128);
  CHECK(promote(DType::kComplex64, DType::kInt16) == DType::kComplex64);
  CHECK(promote(DType::kComplex64, DType::kInt32) == DType::kComplex128);
  for (int a = 0; a < kDTypeCount; ++a)
    for (int b = 0; b < kDTypeCount; ++b) {
      CHECK(promote(DType(a), DType(b)) == promote(DType(b), DType(a)));
      CHECK(can_cast_safely(DType(a), promote(DType(a), DType(b))));
    }
}

TEST_CASE("dtype: casts follow NumPy's rules") {
  CHECK(can_cast_safely(DType::kInt32, DType::kFloat64));
  CHECK(!can_cast_safely(DType::kInt32, DType::kFloat32));
  CHECK(can_cast_same_kind(DType::kInt64, DType::kFloat32));
  CHECK(can_cast_same_kind(DType::kUInt64, DType::kInt8));
  CHECK(!can_cast_same_kind(DType::kInt8, DType::kUInt64));
  CHECK(!can_cast_same_kind(DType::kFloat32, DType::kInt64));
  CHECK(!can_cast_same_kind(DType::kComplex64, DType::kFloat64));
  CHECK(!can_cast_same_kind(DType::kInt8, DType::kBool));
}

TEST_CASE("dtype: bfloat16 and float8 promote to floats that hold them") {
  CHECK(promote(DType::kBFloat16, DType::kFloat16) == DType::kFloat32);
  CHECK(promote(DType::kBFloat16, DType::kUInt8) == DType::kBFloat16);
  CHECK(promote(DType::kInt16, DType::kBFloat16) == DType::kFloat32);
  CHECK(promote(DType::kBFloat16, DType::kComplex64) == DType::kComplex64);
  CHECK(promote(DType::kFloat8E4M3FN, DType::kFloat8E5M2) == DType::kFloat16);
  CHECK(!can_cast_safely(DType::kFloat16, DType::kBFloat16));
  CHECK_THROWS_AS(require_arithmetic("add", DType::kFloat8E5M2), Error);
  require_arithmetic("add", DType::kBFloat16);
}

TEST_CASE("dtype: bits and numbers of bfloat16 and float8 correspond") {
  for (DType t : {DType::kBFloat16, DType::kFloat8E4M3FN, DType::kFloat8E5M2}) {
    const int count = 1 << 8 * size_of(t);
    for (int bits = 0; bits < count; ++bits) {
      const double number = number_of_bits(t, static_cast<uint16_t>(bits));
      const int found = bits_of_number(t, number);
      CHECK((found == bits || number != number));
    }
  }
  CHECK(bits_of_number(DType::kBFloat16, 0.1) == 0x3dcd);
  CHECK(bits_of_number(DType::kBFloat16, 1 + 0x1p-8) == 0x3f80);
  CHECK(bits_of_number(DType::kBFloat16, 1 + 0x1p-8 + 0x1p-50) == 0x3f81);
  CHECK(bits_of_number(DType::kBFloat16, -1e39) == 0xff80);
  CHECK(bits_of_number(DType::kFloat8E4M3FN, 464) == 0x7e);
  CHECK(bits_of_number(DType::kFloat8E4M3FN, 465) == 0x7f);
  CHECK(bits_of_number(DType::kFloat8E5M2, 61440) == 0x7c);
}
