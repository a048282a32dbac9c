// Products by tiles, on the CPU. The items of a group are run by several threads, which wait for
// each other at barriers.
#include <doctest/doctest.h>
#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

#include "array/flush.h"
#include "array/product.h"

using namespace hither;
using namespace hither::array;

namespace {

Array in_tiles(const Array& a, const Array& b) {
  Dims shape = a.shape();
  shape.back() = b.shape()[b.ndim() - 1];
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(a.queue(), shape), a.dtype(),
                            a.dtype(), a.usm_type());
  node->input_count = 2;
  node->inputs[0] = input_of(a);
  node->inputs[1] = input_of(b);
  node->recipe = std::make_unique<TiledProductRecipe>(a.layout(), b.layout());
  bound(*node);
  return finish(std::move(node), false);
}

/// Small integers, whose sums are exact, without a pattern of powers of two.
Array numbers(const Queue& queue, const Dims& shape, DType dtype) {
  const Array n = iota(shape.product(), 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  const Array small = remainder(n * 7919, 13) - 6;
  if (dtype == DType::kBool) return reshape(equal(remainder(n * 7919, 13), 5), shape);
  const Array real = astype(small, dtype);
  return reshape(is_complex(dtype) ? real * Scalar(std::complex<double>(1, 2)) : real, shape);
}

Array expected(const Array& a, const Array& b) {
  const Array left = expand_dims(a, a.ndim()), right = expand_dims(b, b.ndim() - 2);
  const ReduceOptions over{.axes = Dims{-2}};
  if (a.dtype() == DType::kBool) return any(bitwise_and(left, right), over);
  if (a.dtype() != DType::kFloat16)
    return sum(left * right, {.axes = Dims{-2}, .dtype = a.dtype()});
  const Array products = astype(left, DType::kFloat32) * astype(right, DType::kFloat32);
  return astype(sum(products, over), DType::kFloat16);
}

bool same(const Array& x, const Array& y) {
  bool result = false;
  all(equal(x, y)).item(&result);
  return result && x.dtype() == y.dtype() && x.shape() == y.shape();
}

constexpr DType kTypes[] = {DType::kBool,      DType::kInt8,      DType::kUInt16,  DType::kInt32,
                            DType::kInt64,     DType::kFloat16,   DType::kFloat32, DType::kFloat64,
                            DType::kComplex64, DType::kComplex128};

}  // namespace

TEST_CASE("products by tiles equal other products") {
  const Queue queue("native_cpu");
  const Dims shapes[] = {{1, 1, 1}, {64, 64, 16}, {65, 63, 17}, {130, 5, 40}, {33, 200, 1}};
  for (DType t : kTypes)
    for (const Dims& s : shapes) {
      CAPTURE(name_of(t));
      CAPTURE(s[0]);
      const Array a = numbers(queue, {s[0], s[2]}, t), b = numbers(queue, {s[2], s[1]}, t);
      CHECK(same(in_tiles(a, b), expected(a, b)));
      const Array at = matrix_transpose(numbers(queue, {s[2], s[0]}, t));
      const Array bt = matrix_transpose(numbers(queue, {s[1], s[2]}, t));
      CHECK(same(in_tiles(at, bt), expected(at, bt)));
    }
}

TEST_CASE("large tiles, where there are enough of them") {
  const Queue queue("native_cpu");
  for (DType t : {DType::kInt32, DType::kFloat32}) {
    const Array a = numbers(queue, {1500, 9}, t), b = numbers(queue, {9, 1400}, t);
    CHECK(same(in_tiles(a, b), expected(a, b)));
  }
}

TEST_CASE("stacks of products at even and uneven distances, backwards and broadcast") {
  const Queue queue("native_cpu");
  const DType t = DType::kInt32;
  const Array a = numbers(queue, {2, 3, 40, 20}, t), b = numbers(queue, {2, 3, 20, 50}, t);
  CHECK(same(in_tiles(a, b), expected(a, b)));
  const Array one = broadcast_to(numbers(queue, {20, 50}, t), {2, 3, 20, 50});
  CHECK(same(in_tiles(a, one), expected(a, one)));
  const Array some = broadcast_to(numbers(queue, {2, 1, 20, 50}, t), {2, 3, 20, 50});
  CHECK(same(in_tiles(a, some), expected(a, some)));
  CHECK(same(in_tiles(flip(a, Dims{0, 2, 3}), b), expected(flip(a, Dims{0, 2, 3}), b)));
}
