#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <hither/array.h>
#include <hither/counters.h>
#include <hither/history.h>
#include <hither/ops.h>

using namespace hither;

namespace {

Allocate cpu() { return {Queue::default_for(Device::select("native_cpu")), UsmType::kDevice}; }

template <typename T>
struct DTypeOf;
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::kFloat64;
};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::kFloat32;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr DType value = DType::kInt32;
};

template <typename T>
Array make(const std::vector<T>& v, Dims shape) {
  Dims strides(shape.size(), 0);
  int64_t step = sizeof(T);
  for (int d = shape.size() - 1; d >= 0; --d) {
    strides[d] = step;
    step *= shape[d];
  }
  return from_host(v.data(), shape, strides, DTypeOf<T>::value, cpu());
}

template <typename T>
std::vector<T> values(const Array& x) {
  std::vector<T> out(static_cast<size_t>(x.size()));
  to_host(x, out.data());
  return out;
}

std::vector<double> count_up(int n) {
  std::vector<double> v(static_cast<size_t>(n));
  std::iota(v.begin(), v.end(), 0.0);
  return v;
}

}  // namespace

TEST_CASE("a chain of operations is one kernel") {
  const auto v = count_up(1000);
  Array x = make(v, {1000});
  const int64_t before = counters().launches;
  Array y = sqrt(x * x + 1) - x / 2;
  const auto got = values<double>(y);
  CHECK(counters().launches - before <= 5);
  for (size_t i = 0; i < v.size(); ++i) CHECK(got[i] == std::sqrt(v[i] * v[i] + 1) - v[i] / 2);
}

TEST_CASE("views read strided memory, also with negative strides") {
  const auto v = count_up(24);
  Array x = make(v, {4, 6});
  Array backwards = strided_view(x, {4, 3}, {6, -2}, 5);
  const auto got = values<double>(backwards + 1);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) CHECK(got[static_cast<size_t>(i * 3 + j)] == i * 6 + 5 - 2 * j + 1);
}

TEST_CASE("five dimensions that do not collapse") {
  const auto v = count_up(2 * 3 * 4 * 5 * 6);
  Array x = make(v, {2, 3, 4, 5, 6});
  Array t = strided_view(x, {6, 5, 4, 3, 2}, {1, 6, 30, 120, 360}, 0);
  const auto got = values<double>(t * 2);
  size_t at = 0;
  for (int e = 0; e < 6; ++e)
    for (int d = 0; d < 5; ++d)
      for (int c = 0; c < 4; ++c)
        for (int b = 0; b < 3; ++b)
          for (int a = 0; a < 2; ++a)
            CHECK(got[at++] == 2 * (e + 6 * d + 30 * c + 120 * b + 360 * a));
}

TEST_CASE("broadcasting") {
  Array column = make(count_up(3), {3, 1});
  Array row = make(count_up(4), {4});
  const auto got = values<double>(column * 10 + row);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) CHECK(got[static_cast<size_t>(i * 4 + j)] == i * 10 + j);
  CHECK_THROWS_AS(add(make(count_up(3), {3}), row), Error);
}

TEST_CASE("in-place operations do not change what was read before") {
  Array x = make(count_up(10), {10});
  Array before = x * 2;
  assign_moved(x, x + 100);
  Array part = strided_view(x, {5}, {1}, 5);
  Array half = part + 0;
  assign(part, -1.0);
  CHECK(values<double>(before)[3] == 6);
  CHECK(values<double>(half)[0] == 105);
  CHECK(values<double>(x)[4] == 104);
  CHECK(values<double>(x)[5] == -1);
}

TEST_CASE("overlapping assignment reads everything first") {
  Array x = make(count_up(10), {10});
  assign(strided_view(x, {9}, {1}, 1), strided_view(x, {9}, {1}, 0));
  const auto got = values<double>(x);
  for (int i = 1; i < 10; ++i) CHECK(got[static_cast<size_t>(i)] == i - 1);
  Array y = make(count_up(10), {10});
  Array lower = strided_view(y, {9}, {1}, 0), upper = strided_view(y, {9}, {1}, 1);
  Array kept = lower + upper;
  assign(lower, lower + upper);
  CHECK(values<double>(kept)[8] == 17);
  CHECK(values<double>(y)[0] == 1);
  CHECK(values<double>(y)[8] == 17);
}

TEST_CASE("dtypes promote as NumPy's") {
  Array i = make(std::vector<int32_t>{1, -2, 3}, {3});
  CHECK((i + 1).dtype() == DType::kInt32);
  CHECK((i + 1.5).dtype() == DType::kFloat64);
  CHECK((i / 2).dtype() == DType::kFloat64);
  CHECK((i < 2).dtype() == DType::kBool);
  CHECK(values<int32_t>(floor_divide(i, 2))[1] == -1);
  CHECK(values<int32_t>(remainder(i, 2))[1] == 0);
  CHECK(values<int32_t>(power(i, 2))[2] == 9);
  CHECK_THROWS_AS(i + int64_t{1} * 5000000000, Error);
  Array b = equal(i, int64_t{5000000000});
  uint8_t flags[3];
  to_host(b, flags);
  CHECK(flags[0] == 0);
}

TEST_CASE("long loops stay bounded") {
  Array x = make(count_up(100), {100});
  for (int k = 0; k < 1000; ++k) x = x + 1;
  CHECK(values<double>(x)[7] == 1007);
  Array y = make(count_up(100), {100});
  for (int k = 0; k < 200; ++k) y = (y + y) * 0.5;
  CHECK(values<double>(y)[9] == 9);
}

TEST_CASE("an exported address stays valid") {
  Array x = make(count_up(10), {10});
  Array pending = x + 1;
  auto* p = static_cast<double*>(x.host_data());
  p[0] = 50;
  CHECK(values<double>(pending)[0] == 1);
  CHECK(values<double>(x)[0] == 50);
  assign(x, 7);
  CHECK(p[3] == 7);
  assign_moved(x, x + 1);
  CHECK(p[3] == 8);
}

TEST_CASE("constants, ranges and empty arrays") {
  Array r = iota(1000, 5, 3, DType::kFloat64, cpu());
  CHECK(values<double>(r + full({1000}, 2.0, DType::kFloat64, cpu()))[999] == 5 + 3 * 999 + 2);
  CHECK(values<double>(full({3, 0}, 1.0, DType::kFloat64, cpu()) + 1).empty());
  CHECK(values<double>(full({}, 4.0, DType::kFloat64, cpu()) * 2)[0] == 8);
}

TEST_CASE("threads share arrays") {
  Array x = make(count_up(5000), {5000});
  Array shared = x * 2 + 1;
  std::vector<std::thread> threads;
  std::vector<double> sums(8);
  for (size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 50; ++k) sums[t] += values<double>(shared + static_cast<double>(k))[10];
    });
  for (auto& t : threads) t.join();
  for (double s : sums) CHECK(s == 50 * 21 + 49 * 50 / 2);
}

TEST_CASE("two queues write each other's storages") {
  const Queue first("native_cpu"), second("native_cpu");
  const auto work = [](const Queue& mine, const Queue& other) {
    for (int i = 0; i < 3000; ++i) {
      Array x = full({8}, 1.0, DType::kFloat64, {mine, UsmType::kDevice});
      Array seen = to_queue(x, {other, UsmType::kDevice});
      assign(seen, 2.0);  // now x has a pending value of the other queue
      const Array part = strided_view(x, {4}, {2}, 0);
      assign(part, 3.0);
      if (i % 1000 == 0) CHECK(values<double>(x)[1] == 2);
    }
  };
  std::thread one(work, first, second), two(work, second, first);
  one.join();
  two.join();
}
