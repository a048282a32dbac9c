#include <vector>

#include <doctest/doctest.h>

#include <hither/index.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/scan.h>

using namespace hither;

namespace {

Allocate cpu() { return {Queue::default_for(Device::select("native_cpu")), UsmType::kDevice}; }

Array count_up(const Dims& shape, DType dtype) {
  return reshape(astype(iota(shape.product(), 0, 1, DType::kInt64, cpu()), dtype), shape);
}

std::vector<int64_t> to_integers(const Array& x) {
  std::vector<int64_t> v(static_cast<size_t>(x.size()));
  to_host(astype(x, DType::kInt64), v.data());
  return v;
}

using Integers = std::vector<int64_t>;

}  // namespace

TEST_CASE("running sums and products along each axis") {
  const Array x = count_up({2, 3}, DType::kInt32);
  CHECK(to_integers(cumulative_sum(x, {.axis = 0})) == Integers{0, 1, 2, 3, 5, 7});
  CHECK(to_integers(cumulative_sum(x, {.axis = -1})) == Integers{0, 1, 3, 3, 7, 12});
  CHECK(cumulative_sum(x, {.axis = 0}).dtype() == DType::kInt64);
  const Array products = cumulative_prod(x, {.axis = 1, .include_initial = true});
  CHECK(products.shape() == Dims{2, 4});
  CHECK(to_integers(products) == Integers{1, 0, 0, 0, 1, 3, 12, 60});
}

TEST_CASE("running sums of several chunks are exact for integers, in both directions of lanes") {
  for (const Dims& shape : {Dims{100'003}, Dims{9001, 3}}) {
    const Array x = count_up(shape, DType::kInt64);
    const Array back = diff(cumulative_sum(x, {.axis = 0, .include_initial = true}), 0);
    CHECK(to_integers(back) == to_integers(x));
  }
}

TEST_CASE("scans refuse unsupported arguments") {
  const Array x = count_up({2, 3}, DType::kComplex64);
  CHECK_THROWS_AS(cumulative_sum(x), Error);
  CHECK_THROWS_AS(cumulative_sum(x, {.axis = 2}), Error);
  CHECK_THROWS_AS(cumulative_sum(x, {.axis = 0, .dtype = DType::kFloat64}), Error);
  CHECK_THROWS_AS(diff(x, 0, -1), Error);
  CHECK_THROWS_AS(searchsorted(x, x), Error);
}

TEST_CASE("positions in sorted arrays") {
  const Array sorted = count_up({6}, DType::kFloat32), wanted = count_up({2, 2}, DType::kInt8);
  CHECK(to_integers(searchsorted(sorted, wanted)) == Integers{0, 1, 2, 3});
  const Array after = searchsorted(sorted, wanted, SearchSide::kRight);
  CHECK(after.shape() == Dims{2, 2});
  CHECK(to_integers(after) == Integers{1, 2, 3, 4});
}
