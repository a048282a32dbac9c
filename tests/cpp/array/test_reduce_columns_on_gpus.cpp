// Reductions of few columns for GPUs, on the CPU. The items of a group are run by several threads,
// which wait for each other at barriers.
#include <functional>

#include <doctest/doctest.h>
#include <hither/counters.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

#include "array/plan/gpu_forms.h"

using namespace hither;
using namespace hither::array;

namespace {

/// Integers in any dtype, so that sums are exact in every order.
Array numbers(const Queue& queue, const Dims& shape, DType dtype, int64_t below = 101) {
  const Array n = iota(shape.product(), 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  Array x = reshape(astype(remainder(n * 7919, below), dtype), shape);
  x.synchronize();
  return x;
}

Array with_gpu_forms(const std::function<Array()>& call) {
  const GpuForms forms;
  Array result = call();
  result.synchronize();
  return result;
}

bool is_true(const Array& x) {
  bool all = false;
  reduce(Reduction::kAll, x, {}, nullptr).item(&all);
  return all;
}

/// Whether `call` gives the same results with kernels for GPUs and with kernels for CPUs. NaN
/// equals NaN.
bool agree(const std::function<Array()>& call) {
  const Array x = with_gpu_forms(call), y = call();
  return x.shape() == y.shape() && is_true((x == y) | ((x != x) & (y != y)));
}

bool close(const std::function<Array()>& call) {
  const Array x = with_gpu_forms(call), y = call();
  return x.shape() == y.shape() && is_true(absolute(x - y) <= absolute(y) * 1e-12);
}

int64_t launches(const std::function<Array()>& call) {
  with_gpu_forms(call);  // compiles
  const int64_t before = counters().launches;
  with_gpu_forms(call);
  return counters().launches - before;
}

constexpr int64_t kPeriods[] = {2, 3, 4, 7, 16, 33, 64, 100};
constexpr Reduction kReductions[] = {
    Reduction::kSum,          Reduction::kProd,   Reduction::kMin,
    Reduction::kMax,          Reduction::kAny,    Reduction::kAll,
    Reduction::kCountNonzero, Reduction::kArgMin, Reduction::kArgMax};

}  // namespace

TEST_CASE("groups reduce few columns of any number of rows") {
  const Queue queue("native_cpu");
  for (int64_t period : kPeriods)
    for (int64_t rows : {1, 2, 17, 129, 1'000, 5'001, 20'003})
      for (Reduction r : kReductions) {
        CAPTURE(period);
        CAPTURE(rows);
        CAPTURE(static_cast<int>(r));
        const Array x = numbers(queue, {rows, period}, DType::kInt64);
        CHECK(agree([&] { return reduce(r, x, {.axes = Dims{0}}, nullptr); }));
      }
}

TEST_CASE("columns without rows, and rows without columns") {
  const Queue queue("native_cpu");
  for (const Dims& shape : {Dims{0, 3}, Dims{1'000, 0}})
    for (Reduction r : {Reduction::kSum, Reduction::kProd, Reduction::kAll}) {
      const Array x = full(shape, 1, DType::kInt32, {queue});
      CHECK(agree([&] { return reduce(r, x, {.axes = Dims{0}}, nullptr); }));
    }
}

TEST_CASE("groups reduce columns inside few and many rows of other axes") {
  const Queue queue("native_cpu");
  for (const Dims& shape : {Dims{5, 1'001, 3}, Dims{700, 400, 3}, Dims{600, 30, 4},
                            Dims{3, 40, 2'000, 7}, Dims{2, 2'001, 2, 3}, Dims{90'000, 20, 3}})
    for (int axis = 0; axis < shape.size(); ++axis)
      for (Reduction r : {Reduction::kSum, Reduction::kMax, Reduction::kArgMin}) {
        CAPTURE(shape.product());
        CAPTURE(axis);
        CAPTURE(static_cast<int>(r));
        const Array x = numbers(queue, shape, DType::kInt32);
        const ReduceOptions options{.axes = Dims{axis}};
        CHECK(agree([&] { return reduce(r, x, options, nullptr); }));
        if (r != Reduction::kArgMin && shape.size() > 3)
          CHECK(agree([&] { return reduce(r, x, {.axes = Dims{0, 2}}, nullptr); }));
      }
}

TEST_CASE("reductions of more columns than a GPU has in a dimension but the last") {
  const Queue queue("native_cpu");
  for (const Dims& shape : {Dims{1'100'000, 2, 3}, Dims{1'100'000, 3, 4}}) {
    const Array x = numbers(queue, shape, DType::kInt16);
    CHECK(agree([&] { return reduce(Reduction::kSum, x, {.axes = Dims{1}}, nullptr); }));
    CHECK(agree([&] { return reduce(Reduction::kArgMin, x, {.axes = Dims{1}}, nullptr); }));
  }
}

TEST_CASE("groups reduce columns of every kind of dtype") {
  const Queue queue("native_cpu");
  for (DType t : {DType::kBool, DType::kInt8, DType::kUInt16, DType::kFloat16, DType::kBFloat16,
                  DType::kFloat32, DType::kComplex64, DType::kComplex128})
    for (int64_t period : {3, 16})
      for (Reduction r : kReductions) {
        if (is_complex(t) && r != Reduction::kSum && r != Reduction::kProd) continue;
        CAPTURE(name_of(t));
        CAPTURE(period);
        CAPTURE(static_cast<int>(r));
        // Sums stay exact in 11 bits, and products of ones in any.
        const Array x = r == Reduction::kProd ? full({3'001, period}, 1, t, {queue})
                                              : numbers(queue, {3'001, period}, t, 2);
        CHECK(agree([&] { return reduce(r, x, {.axes = Dims{0}}, nullptr); }));
      }
}

TEST_CASE("groups find the first NaN of a column, and the first of equal elements") {
  const Queue queue("native_cpu");
  for (int64_t period : {2, 3, 7, 16, 40})
    for (int64_t rows : {300, 40'000}) {
      CAPTURE(period);
      CAPTURE(rows);
      const Array n = numbers(queue, {rows, period}, DType::kFloat64, 9973);
      const Array some = where(n == 5000, Scalar(NAN), n);
      const Array lowest = full({rows, period}, Scalar(-INFINITY), DType::kFloat64, {queue});
      for (const Array& x : {some, lowest})
        for (Reduction r : {Reduction::kMin, Reduction::kMax, Reduction::kArgMin,
                            Reduction::kArgMax, Reduction::kSum})
          CHECK(agree([&] { return reduce(r, x, {.axes = Dims{0}}, nullptr); }));
    }
}

TEST_CASE("groups reduce columns of expressions, views and positions") {
  const Queue queue("native_cpu");
  for (int64_t period : {2, 3, 16, 33})
    for (int64_t rows : {200, 70'001}) {
      CAPTURE(period);
      CAPTURE(rows);
      const Array x = numbers(queue, {rows, period}, DType::kInt64);
      const Array row = numbers(queue, {period}, DType::kInt64);
      const Array column = numbers(queue, {rows, 1}, DType::kInt64);
      const Array wide = numbers(queue, {rows, 2 * period + 1}, DType::kInt64);
      const Array part = strided_view(wide, {rows, period}, {2 * period + 1, 2}, 1);
      const Array back = strided_view(x, {rows, period}, {-period, -1}, rows * period - 1);
      const Array turned = permute_dims(numbers(queue, {period, rows}, DType::kInt64), Dims{1, 0});
      for (Reduction r : {Reduction::kSum, Reduction::kMin, Reduction::kArgMax}) {
        CAPTURE(static_cast<int>(r));
        const auto first = [&](const Array& of) {
          return reduce(r, of, {.axes = Dims{0}}, nullptr);
        };
        CHECK(agree([&] { return first((x - row) * column); }));
        CHECK(agree([&] { return first(part); }));
        CHECK(agree([&] { return first(part + turned - back); }));
        CHECK(agree([&] { return first(turned); }));
        CHECK(agree([&] {
          const Array n = iota(rows * period, 3, 5, DType::kInt64, {queue, UsmType::kDevice});
          return first(remainder(reshape(n, {rows, period}), 1'013) + row);
        }));
        CHECK(agree([&] {  // a producer that has a name is stored
          const Array named = x * 3 - row;
          const Array result = first(named);
          return result + reduce(Reduction::kMax, named, {.axes = Dims{0}}, nullptr);
        }));
      }
    }
}

TEST_CASE("moments of columns store nothing between their kernels") {
  const Queue queue("native_cpu");
  for (const Dims& shape : {Dims{333'333, 3}, Dims{20'001, 16}, Dims{5'000, 7}, Dims{30'001, 50}})
    for (Reduction r : {Reduction::kMean, Reduction::kVar, Reduction::kStd}) {
      CAPTURE(shape.product());
      CAPTURE(static_cast<int>(r));
      const Array x = numbers(queue, shape, DType::kFloat64);
      const auto moment = [&] { return reduce(r, x, {.axes = Dims{0}}, nullptr); };
      CHECK(close(moment));
      CHECK(launches(moment) <= (r == Reduction::kMean ? 2 : 4));
    }
  const Array x = numbers(queue, {20, 3'000, 3}, DType::kFloat64);
  CHECK(launches([&] { return reduce(Reduction::kVar, x, {.axes = Dims{1}}, nullptr); }) <= 4);
}
