#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/ops.h>

using namespace hither;

namespace {

Array small_integers(const Dims& shape, DType dtype, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> v(static_cast<size_t>(shape.product()));
  for (double& x : v) x = static_cast<double>(random() % 7) - 3;
  Dims strides(shape.size(), 8);
  for (int d = shape.size() - 2; d >= 0; --d) strides[d] = strides[d + 1] * shape[d + 1];
  const Queue queue = Queue::default_for(Device::select("native_cpu"));
  return astype(from_host(v.data(), shape, strides, DType::kFloat64, {queue, UsmType::kDevice}),
                dtype);
}

std::vector<double> to_doubles(const Array& x) {
  std::vector<double> v(static_cast<size_t>(x.size()));
  to_host(astype(x, DType::kFloat64), v.data());
  return v;
}

// Plain loops over two-dimensional operands.
std::vector<double> product(const Array& a, const Array& b) {
  const std::vector<double> x = to_doubles(a), y = to_doubles(b);
  const int64_t m = a.shape()[0], k = a.shape()[1], n = b.shape()[1];
  std::vector<double> c(static_cast<size_t>(m * n), 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t p = 0; p < k; ++p)
        c[static_cast<size_t>(i * n + j)] +=
            x[static_cast<size_t>(i * k + p)] * y[static_cast<size_t>(p * n + j)];
  return c;
}

}  // namespace

TEST_CASE("products of every dtype and layout") {
  for (DType t : {DType::kFloat64, DType::kFloat32, DType::kInt32, DType::kInt64, DType::kFloat16,
                  DType::kComplex128, DType::kComplex64}) {
    CAPTURE(name_of(t));
    const Array a = small_integers({7, 40}, t, 1), b = small_integers({40, 19}, t, 2);
    const auto parts = [&](const Array& x) { return is_complex(t) ? real(x) : x; };
    const std::vector<double> want = product(parts(a), parts(b));
    CHECK(to_doubles(parts(matmul(a, b))) == want);
    CHECK(matmul(a, b).dtype() == t);
    const Array at = matrix_transpose(copy(matrix_transpose(a)));
    const Array bt = matrix_transpose(copy(matrix_transpose(b)));
    CHECK(to_doubles(parts(matmul(at, b))) == want);
    CHECK(to_doubles(parts(matmul(at, bt))) == want);
    const Array wide = small_integers({14, 80}, t, 3);
    const Array part = strided_view(wide, Dims{7, 40}, Dims{160, 2}, 0);
    CHECK(to_doubles(parts(matmul(part, b))) == product(parts(part), parts(b)));
    const Array backwards = flip(a);
    CHECK(to_doubles(parts(matmul(backwards, b))) == product(parts(backwards), parts(b)));
  }
}

TEST_CASE("vectors, stacks and empty products") {
  const Array a = small_integers({3, 1, 4, 5}, DType::kFloat64, 1);
  const Array b = small_integers({2, 5, 6}, DType::kFloat64, 2);
  const Array c = matmul(a, b);
  CHECK(c.shape() == Dims{3, 2, 4, 6});
  const std::vector<double> all = to_doubles(c);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) {
      const Array left = strided_view(a, Dims{4, 5}, Dims{5, 1}, i * 20);
      const Array right = strided_view(b, Dims{5, 6}, Dims{6, 1}, j * 30);
      const std::vector<double> want = product(left, right);
      CHECK(std::equal(want.begin(), want.end(), all.begin() + (i * 2 + j) * 24));
    }
  const Array v = small_integers({5}, DType::kFloat64, 3);
  CHECK(matmul(a, v).shape() == Dims{3, 1, 4});
  CHECK(matmul(v, b).shape() == Dims{2, 6});
  CHECK(matmul(v, v).shape() == Dims{});
  CHECK(to_doubles(matmul(v, v)) == to_doubles(vecdot(v, v)));
  const Array none = small_integers({2, 0}, DType::kFloat64, 1);
  CHECK(to_doubles(matmul(none, matrix_transpose(none))) == std::vector<double>(4, 0));
  CHECK_THROWS_AS(matmul(a, a), Error);
  CHECK_THROWS_AS(matmul(strided_view(v, Dims{}, Dims{}, 0), v), Error);
}

TEST_CASE("tensordot") {
  const Array a = small_integers({3, 4, 5}, DType::kFloat64, 1);
  const Array b = small_integers({5, 4, 6}, DType::kFloat64, 2);
  const Array c = tensordot(a, b, Dims{2, 1}, Dims{0, 1});
  CHECK(c.shape() == Dims{3, 6});
  const Array left = reshape(permute_dims(a, Dims{0, 2, 1}), Dims{3, 20});
  CHECK(to_doubles(c) == product(left, reshape(b, Dims{20, 6})));
  CHECK(tensordot(a, b, 0).shape() == Dims{3, 4, 5, 5, 4, 6});
  CHECK_THROWS_AS(tensordot(a, b, 2), Error);
}
