#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

using namespace hither;

namespace {

Array from_doubles(const std::vector<double>& v, const Dims& shape, DType dtype) {
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

std::vector<double> small_numbers(int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> v(static_cast<size_t>(n));
  for (double& x : v) x = static_cast<double>(random() % 11) - 5;
  return v;
}

// Reduces with plain loops: exact for small integers.
std::vector<double> expected(Reduction r, const std::vector<double>& x, const Dims& shape,
                             const std::vector<bool>& reduced) {
  int64_t kept = 1;
  for (int d = 0; d < shape.size(); ++d)
    if (!reduced[static_cast<size_t>(d)]) kept *= shape[d];
  std::vector<double> out(static_cast<size_t>(kept)), best(out);
  std::vector<int64_t> seen(static_cast<size_t>(kept), 0);
  Dims at(shape.size(), 0);
  for (double v : x) {
    size_t slot = 0;
    for (int d = 0; d < shape.size(); ++d)
      if (!reduced[static_cast<size_t>(d)])
        slot = slot * static_cast<size_t>(shape[d]) + static_cast<size_t>(at[d]);
    double& o = out[slot];
    const bool first = seen[slot] == 0;
    const bool beats = std::isnan(v) ? !std::isnan(best[slot]) : false;
    switch (r) {
      case Reduction::kSum:
        o = first ? v : o + v;
        break;
      case Reduction::kProd:
        o = first ? v : o * v;
        break;
      case Reduction::kAny:
        o = (!first && o != 0) || v != 0;
        break;
      case Reduction::kAll:
        o = (first || o != 0) && v != 0;
        break;
      case Reduction::kCountNonzero:
        o += v != 0;
        break;
      case Reduction::kMin:
      case Reduction::kMax:
      case Reduction::kArgMin:
      case Reduction::kArgMax: {
        const bool larger = r == Reduction::kMax || r == Reduction::kArgMax;
        if (first || beats || (larger ? v > best[slot] : v < best[slot])) {
          best[slot] = v;
          o = r == Reduction::kMin || r == Reduction::kMax ? v : static_cast<double>(seen[slot]);
        }
        break;
      }
      default:
        break;
    }
    ++seen[slot];
    for (int d = shape.size() - 1; d >= 0 && ++at[d] == shape[d]; --d) at[d] = 0;
  }
  return out;
}

constexpr Reduction kPlain[] = {Reduction::kSum,    Reduction::kMin,   Reduction::kMax,
                                Reduction::kAny,    Reduction::kAll,   Reduction::kCountNonzero,
                                Reduction::kArgMin, Reduction::kArgMax};

void compare(Reduction r, const Array& x, const std::vector<double>& values,
             const std::vector<bool>& reduced) {
  const bool arg = r == Reduction::kArgMin || r == Reduction::kArgMax;
  ReduceOptions options;
  Dims axes;
  for (int d = 0; d < x.ndim(); ++d)
    if (reduced[static_cast<size_t>(d)]) axes.push_back(d);
  if (axes.size() != x.ndim()) options.axes = axes;
  if (arg && options.axes && axes.size() != 1) return;
  const std::vector<double> want = expected(r, values, x.shape(), reduced);
  const std::vector<double> got = to_doubles(reduce(r, x, options));
  CAPTURE(name_of(r));
  CAPTURE(name_of(x.dtype()));
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(want[i]))
      REQUIRE(std::isnan(got[i]));
    else
      REQUIRE(got[i] == want[i]);
  }
}

void compare_all(const Dims& shape, DType dtype, bool permuted = false) {
  std::vector<double> values = small_numbers(shape.product(), 7);
  Array x = from_doubles(values, shape, dtype);
  values = to_doubles(x);
  if (permuted) {
    Dims axes;
    for (int d = shape.size() - 1; d >= 0; --d) axes.push_back(d);
    x = permute_dims(x, axes);
    values = to_doubles(x);
  }
  CAPTURE(shape.size());
  CAPTURE(shape[0]);
  CAPTURE(shape.back());
  for (unsigned set = 0; set < (1u << shape.size()); ++set) {
    std::vector<bool> reduced;
    for (int d = 0; d < shape.size(); ++d) reduced.push_back(set >> d & 1);
    CAPTURE(set);
    for (Reduction r : kPlain) compare(r, x, values, reduced);
  }
}

}  // namespace

TEST_CASE("reductions over every set of axes") {
  for (const Dims& shape : {Dims{1}, Dims{7}, Dims{40}, Dims{1000}, Dims{50000}, Dims{3, 5},
                            Dims{5, 3}, Dims{70, 33}, Dims{600, 40}, Dims{2, 20000}, Dims{900, 3},
                            Dims{4, 3, 5}, Dims{33, 20, 3}, Dims{3, 70, 30}, Dims{2, 3, 1, 4}}) {
    compare_all(shape, DType::kFloat64);
    compare_all(shape, DType::kFloat64, true);
  }
}

TEST_CASE("reductions of every dtype") {
  for (int t = 0; t <= static_cast<int>(DType::kFloat64); ++t) {
    compare_all(Dims{300}, static_cast<DType>(t));
    compare_all(Dims{30, 41}, static_cast<DType>(t));
    compare_all(Dims{41, 5}, static_cast<DType>(t));
  }
}

TEST_CASE("a reduction computes its producers, bit for bit") {
  for (const Dims& shape : {Dims{100003}, Dims{37, 1001}, Dims{1001, 37}, Dims{211, 99, 3}}) {
    std::vector<double> values(static_cast<size_t>(shape.product()));
    std::mt19937 random(3);
    for (double& v : values) v = std::ldexp(static_cast<double>(random()), -31) - 1;
    const Array x = from_doubles(values, shape, DType::kFloat64);
    for (int axis = -1; axis < shape.size(); ++axis) {
      ReduceOptions options;
      if (axis >= 0) options.axes = Dims{axis};
      for (Reduction r : {Reduction::kSum, Reduction::kMean, Reduction::kVar, Reduction::kMax}) {
        const std::vector<double> lazy = to_doubles(reduce(r, sin(x) * 3.0 + x, options));
        const Array stored = sin(x) * 3.0 + x;
        stored.synchronize();
        CHECK(lazy == to_doubles(reduce(r, stored, options)));
      }
    }
  }
}

TEST_CASE("views are reduced without a copy") {
  const std::vector<double> values = small_numbers(200 * 300, 5);
  const Array x = from_doubles(values, Dims{200, 300}, DType::kFloat64);
  const Array inner = strided_view(x, Dims{150, 250}, Dims{300, 1}, 601);
  const std::vector<double> inside = to_doubles(inner);
  for (Reduction r : kPlain) {
    compare(r, inner, inside, {true, true});
    compare(r, inner, inside, {true, false});
    compare(r, inner, inside, {false, true});
    const Array back = flip(inner);
    compare(r, back, to_doubles(back), {true, true});
    const Array repeated =
        broadcast_to(strided_view(x, Dims{1, 30}, Dims{300, 2}, 3), Dims{40, 30});
    compare(r, repeated, to_doubles(repeated), {true, false});
    compare(r, repeated, to_doubles(repeated), {true, true});
  }
  const Array fused = inner * 2.0;
  std::vector<double> doubled = inside;
  for (double& v : doubled) v *= 2;
  compare(Reduction::kSum, fused, doubled, {true, true});
}

TEST_CASE("NaN and signed zero") {
  std::vector<double> values = small_numbers(5000, 9);
  values[1234] = NAN;
  values[3000] = NAN;
  const Array x = from_doubles(values, Dims{5000}, DType::kFloat64);
  for (Reduction r : {Reduction::kMin, Reduction::kMax, Reduction::kArgMin, Reduction::kArgMax})
    compare(r, x, values, {true});
  CHECK(to_doubles(argmax(x))[0] == 1234);
  // A sum starts at 0.0, as NumPy's does.
  CHECK(!std::signbit(to_doubles(sum(from_doubles({-0.0}, Dims{1}, DType::kFloat64)))[0]));
  const std::vector<double> lowest(100, -INFINITY);
  CHECK(to_doubles(argmax(from_doubles(lowest, Dims{100}, DType::kFloat64)))[0] == 0);
  CHECK(to_doubles(argmax(from_doubles(lowest, Dims{100}, DType::kFloat32)))[0] == 0);
}

TEST_CASE("empty operands, dtypes, errors") {
  const Array none = from_doubles({}, Dims{0, 3}, DType::kFloat32);
  CHECK(to_doubles(sum(none)) == std::vector<double>{0});
  CHECK(to_doubles(prod(none, {.axes = Dims{0}})) == std::vector<double>{1, 1, 1});
  CHECK(to_doubles(all(none)) == std::vector<double>{1});
  CHECK(std::isnan(to_doubles(mean(none))[0]));
  CHECK(max(none, {.axes = Dims{1}}).shape() == Dims{0});
  CHECK_THROWS_AS(max(none, {.axes = Dims{0}}), Error);
  CHECK_THROWS_AS(argmin(none), Error);
  CHECK_THROWS_AS(sum(none, {.axes = Dims{2}}), Error);
  CHECK_THROWS_AS(sum(none, {.axes = Dims{0, -2}}), Error);
  const Array bytes = from_doubles({100, 100, 100}, Dims{3}, DType::kInt8);
  CHECK(sum(bytes).dtype() == DType::kInt64);
  CHECK(to_doubles(sum(bytes)) == std::vector<double>{300});
  CHECK(to_doubles(sum(bytes, {.dtype = DType::kInt8})) == std::vector<double>{44});
  CHECK(mean(bytes).dtype() == DType::kFloat64);
  CHECK(sum(bytes, {.keepdims = true}).shape() == Dims{1});
  const Array kept = sum(from_doubles(small_numbers(6, 1), Dims{2, 3}, DType::kFloat16),
                         {.axes = Dims{1}, .keepdims = true});
  CHECK(kept.dtype() == DType::kFloat16);
  CHECK(kept.shape() == Dims{2, 1});
}

TEST_CASE("moments and complex numbers") {
  std::vector<double> values(10007);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 1e6 + std::sin(static_cast<double>(i));
  double middle = 0, spread = 0;
  for (double v : values) middle += (v - 1e6) / static_cast<double>(values.size());
  for (double v : values) spread += (v - 1e6 - middle) * (v - 1e6 - middle);
  const Array x = from_doubles(values, Dims{10007}, DType::kFloat64);
  CHECK(to_doubles(mean(x))[0] == doctest::Approx(1e6 + middle).epsilon(1e-13));
  CHECK(to_doubles(variance(x))[0] == doctest::Approx(spread / 10007).epsilon(1e-9));
  CHECK(to_doubles(standard_deviation(x, {.correction = 1}))[0] ==
        doctest::Approx(std::sqrt(spread / 10006)).epsilon(1e-9));
  const Array small = from_doubles({1, 2, 3, 4}, Dims{2, 2}, DType::kFloat64);
  const Array z = astype(small, DType::kComplex128) * Scalar(std::complex<double>(1, 2));
  std::vector<std::complex<double>> out(2);
  to_host(sum(z, {.axes = Dims{0}}), out.data());
  CHECK(out[0] == std::complex<double>(4, 8));
  CHECK(out[1] == std::complex<double>(6, 12));
  to_host(prod(z, {.axes = Dims{1}}), out.data());
  CHECK(out[0] == std::complex<double>(-6, 8));
  CHECK(variance(z).dtype() == DType::kFloat64);
  CHECK(to_doubles(variance(z))[0] == doctest::Approx(1.25 * 5));
  CHECK_THROWS_AS(max(z), Error);
}
