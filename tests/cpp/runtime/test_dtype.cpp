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
