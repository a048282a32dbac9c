#include <vector>

#include <doctest/doctest.h>

#include <hither/index.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/segments.h>

using namespace hither;

namespace {

Allocate cpu() { return {Queue::default_for(Device::select("native_cpu")), UsmType::kDevice}; }

Array count_up(const Dims& shape, DType dtype = DType::kFloat64) {
  return reshape(astype(iota(shape.product(), 0, 1, DType::kInt64, cpu()), dtype), shape);
}

Array integers(const std::vector<int64_t>& v, const Dims& shape) {
  Dims strides(shape.size(), 8);
  for (int d = shape.size() - 2; d >= 0; --d) strides[d] = strides[d + 1] * shape[d + 1];
  return from_host(v.data(), shape, strides, DType::kInt64, cpu());
}

std::vector<double> to_doubles(const Array& x) {
  std::vector<double> v(static_cast<size_t>(x.size()));
  to_host(astype(x, DType::kFloat64), v.data());
  return v;
}

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("reads through integer arrays") {
  const Array x = count_up({3, 4, 5});
  CHECK(to_doubles(take(x, integers({2, -3}, {2}), 0)) ==
        to_doubles(concat(std::vector<Array>{strided_view(x, Dims{1, 4, 5}, Dims{20, 5, 1}, 40),
                                             strided_view(x, Dims{1, 4, 5}, Dims{20, 5, 1}, 0)})));
  CHECK(to_doubles(take(count_up({5}), integers({4, -1, 0, 1}, {2, 2}), 0)) == Numbers{4, 4, 0, 1});
  const std::vector<Array> pair{integers({0, 2}, {2, 1}), integers({1, -1}, {2})};
  const Array picked = gather(x, pair, 0);
  CHECK(picked.shape() == Dims{2, 2, 5});
  CHECK(to_doubles(strided_view(picked, Dims{2, 2}, Dims{10, 5}, 0)) == Numbers{5, 15, 45, 55});
  const Array inside = gather(x, std::span(&pair[1], 1), 1);
  CHECK(inside.shape() == Dims{3, 2, 5});
  CHECK(to_doubles(strided_view(inside, Dims{3, 2}, Dims{10, 5}, 2)) ==
        Numbers{7, 17, 27, 37, 47, 57});
  const Array turned = flip(permute_dims(x, Dims{2, 0, 1}));
  CHECK(to_doubles(take(turned, integers({0}, {1}), 0)) ==
        to_doubles(strided_view(turned, Dims{1, 3, 4}, turned.strides(), 0)));
  CHECK(to_doubles(take_along_axis(count_up({2, 3}), integers({2, 0, 1, 1}, {2, 2}), 1)) ==
        Numbers{2, 0, 4, 4});
}

TEST_CASE("out-of-range indices are refused") {
  const Array x = count_up({3, 4});
  CHECK_THROWS_WITH_AS(take(x, integers({0, 3}, {2}), 0),
                       "take: index 3 is out of bounds for axis 0 with size 3", Error);
  CHECK_THROWS_AS(take(x, integers({-5}, {1}), 1), Error);
  CHECK_THROWS_AS(take(x, count_up({2}), 0), Error);
  const std::vector<Array> outside{integers({0, 3}, {2})};
  CHECK_THROWS_AS(scatter(x, outside, 0, 1.0), Error);
  CHECK(to_doubles(x) == to_doubles(count_up({3, 4})));
}

TEST_CASE("writes through integer arrays") {
  Array x = copy(count_up({4}));
  const std::vector<Array> where{integers({1, -1, 1}, {3})};
  scatter(x, where, 0, integers({7, 8, 9}, {3}));
  CHECK(to_doubles(x) == Numbers{0, 9, 2, 8});
  scatter(x, where, 0, 5.5);
  CHECK(to_doubles(x) == Numbers{0, 5.5, 2, 5.5});
  const Array before = x + 0.0;
  scatter(x, where, 0, strided_view(x, Dims{3}, Dims{1}, 1));
  CHECK(to_doubles(x) == Numbers{0, 5.5, 2, 2});
  CHECK_THROWS_AS(scatter(x, where, 0, count_up({2})), Error);
  CHECK(to_doubles(before) == Numbers{0, 5.5, 2, 5.5});
  Array y = copy(count_up({3, 4}));
  const Array lazy = y * 2.0;
  const std::vector<Array> columns{integers({3, 0}, {2})};
  scatter(y, columns, 1, integers({-1, -2}, {2}));
  CHECK(to_doubles(y) == Numbers{-2, 1, 2, -1, -2, 5, 6, -1, -2, 9, 10, -1});
  CHECK(to_doubles(lazy) == to_doubles(count_up({3, 4}) * 2.0));
}

TEST_CASE("writes that combine old and new elements") {
  Array x = copy(count_up({4}));
  const Array before = x + 0.0;
  const std::vector<Array> where{integers({1, -1, 1}, {3})};
  scatter(x, where, 0, integers({7, 8, 9}, {3}), Reduction::kSum);
  CHECK(to_doubles(x) == Numbers{0, 17, 2, 11});
  scatter(x, where, 0, 2, Reduction::kProd);
  CHECK(to_doubles(x) == Numbers{0, 68, 2, 22});
  scatter(x, where, 0, strided_view(x, Dims{3}, Dims{1}, 1), Reduction::kMin);
  CHECK(to_doubles(x) == Numbers{0, 22, 2, 2});
  CHECK_THROWS_AS(scatter(x, std::vector<Array>{integers({4}, {1})}, 0, 1, Reduction::kSum), Error);
  mask_assign(x, x < 3.0, 10.0, 0, Reduction::kMax);
  CHECK(to_doubles(x) == Numbers{10, 22, 10, 10});
  CHECK(to_doubles(before) == Numbers{0, 1, 2, 3});
  Array tables = copy(full({2, 3}, 0, DType::kFloat64, {x.queue(), UsmType::kDevice}));
  scatter_rows(tables, integers({0, 0, 2, 1, 2, 2}, {2, 3}), count_up({2, 3}), Reduction::kSum);
  CHECK(to_doubles(tables) == Numbers{1, 0, 2, 0, 3, 9});
  CHECK_THROWS_AS(scatter_rows(x, integers({0}, {1}), 1, Reduction::kSum), Error);
}

TEST_CASE("reductions of segments") {
  const Array x = count_up({5, 2});
  const Array begins = integers({0, 1, 4}, {3}), ends = integers({3, 1, 5}, {3});
  CHECK(to_doubles(segment_reduce(Reduction::kSum, x, begins, ends)) == Numbers{6, 9, 0, 0, 8, 9});
  const Array wide = segment_reduce(Reduction::kProd, x, begins, ends, DType::kFloat32);
  CHECK(wide.dtype() == DType::kFloat32);
  CHECK(to_doubles(astype(wide, DType::kFloat64)) == Numbers{0, 15, 1, 1, 8, 9});
  CHECK_THROWS_AS(segment_reduce(Reduction::kSum, x, begins, integers({0}, {1})), Error);
}

TEST_CASE("the array that a view is a part of") {
  const Array x = copy(count_up({3, 4}));
  CHECK(!base_of(x));
  const Array part = strided_view(x, Dims{2}, Dims{4}, 1);
  CHECK(to_doubles(base_of(part)) == to_doubles(x));
}

TEST_CASE("masks") {
  const Array x = count_up({100, 300});
  const Array mask = remainder(x, 7) == 3;
  Numbers want;
  for (int i = 3; i < 30000; i += 7) want.push_back(i);
  CHECK(to_doubles(mask_select(x, mask)) == want);
  CHECK(to_doubles(nonzero(reshape(mask, Dims{-1}))[0]) == want);
  const std::vector<Array> at = nonzero(mask);
  CHECK(to_doubles(at[0] * Scalar(300) + at[1]) == want);
  CHECK(mask_select(x, x < 0).shape() == Dims{0});
  const Array rows = strided_view(mask, Dims{100}, Dims{300}, 0);
  const Array kept = mask_select(x, rows);
  CHECK(kept.shape() == Dims{static_cast<int64_t>(to_doubles(nonzero(rows)[0]).size()), 300});
  CHECK(to_doubles(kept)[0] == to_doubles(nonzero(rows)[0])[0] * 300);
  CHECK(mask_select(x, strided_view(mask, Dims{300}, Dims{1}, 0), 1).shape() == Dims{100, 43});
  Array y = copy(x);
  mask_assign(y, mask, -1.0);
  CHECK(to_doubles(mask_select(y, mask)) == Numbers(want.size(), -1));
  mask_assign(y, mask, mask_select(x, mask));
  CHECK(to_doubles(y) == to_doubles(x));
  CHECK_THROWS_AS(mask_select(x, rows, 1), Error);
  CHECK_THROWS_AS(mask_select(x, x), Error);
}

TEST_CASE("joins and rearrangements") {
  const Array x = count_up({2, 3});
  CHECK(to_doubles(concat(std::vector<Array>{x, x + 6.0}, 1)) ==
        Numbers{0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11});
  CHECK(concat(std::vector<Array>{x, astype(x, DType::kFloat32)}).dtype() == DType::kFloat64);
  CHECK(stack(std::vector<Array>{x, x}, -1).shape() == Dims{2, 3, 2});
  CHECK(to_doubles(roll(count_up({5}), Dims{2})) == Numbers{3, 4, 0, 1, 2});
  CHECK(to_doubles(roll(x, Dims{1, -1}, Dims{0, 1})) == Numbers{4, 5, 3, 1, 2, 0});
  CHECK(to_doubles(flip(x, Dims{1})) == Numbers{2, 1, 0, 5, 4, 3});
  CHECK(to_doubles(repeat(count_up({3}), 2)) == Numbers{0, 0, 1, 1, 2, 2});
  CHECK(to_doubles(repeat(count_up({3}), integers({1, 0, 2}, {3}))) == Numbers{0, 2, 2});
  CHECK(to_doubles(tile(count_up({2}), Dims{2, 2})) == Numbers{0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(to_doubles(reshape(permute_dims(x, Dims{1, 0}), Dims{6})) == Numbers{0, 3, 1, 4, 2, 5});
  CHECK_THROWS_AS(reshape(permute_dims(x, Dims{1, 0}), Dims{6}, false), Error);
  CHECK(moveaxis(count_up({2, 3, 4}), Dims{0}, Dims{-1}).shape() == Dims{3, 4, 2});
  CHECK(unstack(x, 1).size() == 3);
  CHECK_THROWS_AS(reshape(x, Dims{4, -1}), Error);
  CHECK_THROWS_AS(squeeze(x, Dims{0}), Error);
  CHECK_THROWS_AS(concat(std::vector<Array>{x, count_up({3, 3})}, 1), Error);
}
