// Single-pass scans, on the CPU. The items of a group are run by several threads, which wait for
// each other at barriers.
#include "array/scan_tiles.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include <doctest/doctest.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>
#include <hither/scan.h>
#include <hither/user_op.h>

#include "array/flush.h"
#include "array/plan/gpu_forms.h"

using namespace hither;
using namespace hither::array;

namespace {

struct TileScan final : Recipe {
  Accumulation accumulation;
  ScanShape shape;
  bool initial;
  TileScan(Accumulation a, ScanShape s, bool i) : accumulation(a), shape(s), initial(i) {}
  bool needs_c_order() const noexcept override { return true; }
  void launch(Value& value, std::span<const Operated> operands) const override {
    const ScanSource source(operands[0], shape, value.inputs[0].dtype);
    scan_in_tiles(value, source, accumulation, shape, initial);
  }
  std::string describe(const Value&) const override { return "scan"; }
};

Array scanned(const Array& x, ScanShape s, Reduction r = Reduction::kSum, bool initial = false,
              const UserFunction* user = nullptr) {
  const DType t = user ? x.dtype() : result_dtype(r, x.dtype());
  ValueRef node = make_node(ValueKind::kRecipe,
                            contiguous_layout(x.queue(), {s.outer, s.along + initial, s.inner}), t,
                            t == DType::kFloat16 ? DType::kFloat32 : t, x.usm_type());
  node->input_count = 1;
  bool escaped = false;
  node->inputs[0] = operand_input(x, x.layout(), x.queue(), escaped);
  node->recipe = std::make_unique<TileScan>(Accumulation{r, node->compute, user}, s, initial);
  bound(*node);
  return finish(std::move(node), escaped);
}

// Numbers without a pattern of powers of two.
Array numbers(const Queue& queue, const Dims& shape, DType dtype) {
  const Array n = iota(shape.product(), 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  return reshape(astype(remainder(n * 7919, 13), dtype), shape);
}

bool same(const Array& x, const Array& y, double tolerance) {
  const Array a = astype(x, DType::kFloat64), c = astype(y, DType::kFloat64);
  double worst = 0;
  const Array far = absolute(a - c) - absolute(c) * tolerance;
  astype(reduce(Reduction::kMax, far, {}, nullptr), DType::kFloat64).item(&worst);
  return worst <= 0;
}

}  // namespace

constexpr ScanShape kShapes[] = {
    {1, 1, 1},      {1, 33, 1},   {1, 2048, 1},   {1, 2049, 1}, {3, 50'001, 1},  {1, 3'000'017, 1},
    {2, 70'000, 3}, {2, 1, 40},   {1, 5'000, 40}, {3, 17, 9},   {1, 300'001, 9}, {1000, 16, 1},
    {777, 5, 1},    {70, 100, 1}, {33, 256, 1},   {5, 1000, 1}, {2, 8192, 1},    {7, 4097, 1}};

TEST_CASE("single-pass scans equal other scans") {
  const Queue queue("native_cpu");
  for (const ScanShape& s : kShapes)
    for (DType t : {DType::kInt8, DType::kFloat32, DType::kFloat64})
      for (bool initial : {false, true}) {
        CAPTURE(s.outer);
        CAPTURE(s.along);
        CAPTURE(s.inner);
        CAPTURE(name_of(t));
        CAPTURE(initial);
        const Array x = numbers(queue, {s.outer, s.along, s.inner}, t);
        const Array expected = cumulative_sum(x, {.axis = 1, .include_initial = initial});
        const Array result = scanned(x, s, Reduction::kSum, initial);
        CHECK(same(result, expected, t == DType::kFloat32 ? 1e-4 : 1e-12));
        CHECK(same(scanned(x, s, Reduction::kSum, initial), result, 0));
      }
}

TEST_CASE("scans compute their operands") {
  const Queue queue("native_cpu");
  for (const Dims& shape : {Dims{1}, Dims{70'001}, Dims{300, 40}, Dims{3, 17, 9}, Dims{2, 5000, 3},
                            Dims{777, 5}, Dims{40, 2, 300}})
    for (DType t : {DType::kInt8, DType::kFloat32, DType::kFloat64})
      for (int axis = 0; axis < shape.size(); ++axis) {
        CAPTURE(shape.product());
        CAPTURE(name_of(t));
        CAPTURE(axis);
        const Array x = numbers(queue, shape, t);
        Dims order;
        for (int d = shape.size(); d-- > 0;) order.push_back(d);
        Dims turned = shape;
        std::reverse(turned.begin(), turned.end());
        const Array y = permute_dims(numbers(queue, turned, t), order);
        const Array row = numbers(queue, {shape.back()}, t), one = numbers(queue, {}, t);
        for (const bool on_gpu : {false, true}) {
          std::optional<GpuForms> forms;
          if (on_gpu) forms.emplace();
          const auto check = [&](const std::function<Array()>& operand) {
            const ScanOptions options{.axis = axis, .include_initial = axis == 1};
            const Array named = operand();
            named.synchronize();
            CHECK(same(cumulative_sum(operand(), options), cumulative_sum(named, options), 0));
          };
          check([&] { return x * x; });
          check([&] { return x * y + row; });
          check([&] { return (x - one) * astype(x > 3, t); });
          check([&] { return astype(x, DType::kInt64) * 2; });
          check([&] { return where(x > 2, x, broadcast_to(row, shape)); });
        }
      }
}

TEST_CASE("scans by tiles of a function that does not commute equal other scans") {
  const Queue queue("native_cpu");
  // The last element that is not 0. Its loop is long for an element of undefined memory.
  const UserReduction last(UserOp({.name = "last",
                                   .symbol = "user.last",
                                   .code = {R"(
define i32 @user.last(i32 %a, i32 %b) alwaysinline {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %n, 1
  %goes_on = icmp slt i32 %next, %b
  br i1 %goes_on, label %loop, label %end
end:
  %none = icmp eq i32 %b, 0
  %chosen = select i1 %none, i32 %a, i32 %b
  ret i32 %chosen
})"},
                                   .operands = {DType::kInt32, DType::kInt32},
                                   .result = DType::kInt32}),
                           Scalar(0));
  bool initial = false;
  for (const ScanShape& s : kShapes) {
    initial = !initial;  // these kernels are slow on CPUs, so that each shape is scanned once
    CAPTURE(s.outer);
    CAPTURE(s.along);
    CAPTURE(s.inner);
    CAPTURE(initial);
    const Array all = numbers(queue, {s.outer, s.along, s.inner}, DType::kInt32);
    const Array x = where(less(all, Scalar(9)), Scalar(0), all);
    const Array expected = scan(last, x, {.axis = 1, .include_initial = initial});
    CHECK(same(scanned(x, s, Reduction::kSum, initial, last.function().get()), expected, 0));
  }
}

TEST_CASE("products of complex numbers with infinities by tiles") {
  const Queue queue("native_cpu");
  const int64_t n = 10'001;
  const Array angle = iota(n, 0, 1, DType::kFloat64, {queue, UsmType::kDevice}) * 0.001;
  const Array x = exp(angle * Scalar(std::complex<double>(0, 1)));
  const Array first = reshape(scanned(x, {1, n, 1}, Reduction::kProd), {n});
  const Array other = cumulative_prod(x);
  CHECK(same(real(first) + 2.0, real(other) + 2.0, 1e-6));
  const std::complex<double> infinite[] = {{INFINITY, 0}, {1, 0}, {2, 0}};
  std::vector<std::complex<double>> got(3);
  to_host(scanned(from_host(infinite, {3}, {16}, DType::kComplex128, {queue, UsmType::kDevice}),
                  {1, 3, 1}, Reduction::kProd),
          got.data());
  CHECK(got[0].real() == INFINITY);
  CHECK(got[0].imag() == 0);
}

TEST_CASE("sums by tiles of non-negative numbers never decrease") {
  const Queue queue("native_cpu");
  const int64_t n = 300'000;
  const Array x = numbers(queue, {n}, DType::kFloat32) * 0.1f;
  std::vector<float> sums(static_cast<size_t>(n));
  to_host(scanned(x, {1, n, 1}), sums.data());
  CHECK(std::is_sorted(sums.begin(), sums.end()));
}
