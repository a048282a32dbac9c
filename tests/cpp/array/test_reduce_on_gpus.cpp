// Reductions for GPUs, on the CPU. The items of a group are run by several threads, which wait for
// each other at barriers.
#include <doctest/doctest.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>
#include <hither/user_op.h>

#include "array/flush.h"
#include "array/plan/gpu_forms.h"

using namespace hither;
using namespace hither::array;

namespace {

Array reduced(const Array& x, Reduction r, std::vector<bool> axes) {
  const bool has_index = r == Reduction::kArgMax || r == Reduction::kArgMin;
  const DType compute = has_index ? x.dtype() : result_dtype(r, x.dtype());
  Dims kept;
  for (int d = 0; d < x.ndim(); ++d)
    if (!axes[static_cast<size_t>(d)]) kept.push_back(x.shape()[d]);
  ValueRef node = make_node(ValueKind::kReduce, contiguous_layout(x.queue(), kept),
                            has_index ? DType::kInt64 : compute, compute, x.usm_type());
  node->input_count = 1;
  bool escaped = false;
  node->inputs[0] = operand_input(x, x.layout(), x.queue(), escaped);
  node->reduce = std::make_unique<Reduce>(Accumulation{r, compute}, x.shape(), std::move(axes));
  bound(*node);
  const GpuForms forms;
  submit(*node);
  return make_array(std::move(node));
}

/// Reduces the last axes, starting with axis `first`.
Array reduced(const Array& x, Reduction r, int first) {
  std::vector<bool> axes;
  for (int d = 0; d < x.ndim(); ++d) axes.push_back(d >= first);
  return reduced(x, r, axes);
}

/// Numbers without a pattern of powers of two. The largest occur several times.
Array numbers(const Queue& queue, const Dims& shape, DType dtype) {
  const Array n = iota(shape.product(), 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  return reshape(astype(remainder(n * 7919, 1009), dtype), shape);
}

bool same(const Array& x, const Array& y) {
  double worst = 1;
  const Array far = absolute(astype(x, DType::kFloat64) - astype(y, DType::kFloat64));
  astype(reduce(Reduction::kMax, far, {}, nullptr), DType::kFloat64).item(&worst);
  return worst == 0;
}

}  // namespace

TEST_CASE("reductions by groups equal other reductions") {
  const Queue queue("native_cpu");
  // Few and many rows, ends that do not fill a group, more elements than one kernel takes, and rows
  // of which a group has several.
  const Dims shapes[] = {{65},        {1000},   {4096},        {300'001},    {20'000'003},
                         {3, 70'001}, {3, 100}, {2, 3, 5'001}, {600, 4'099}, {1'000, 4'100}};
  for (const Dims& shape : shapes)
    for (DType t : {DType::kInt32, DType::kFloat64})
      for (Reduction r : {Reduction::kSum, Reduction::kMax, Reduction::kArgMax, Reduction::kArgMin})
        for (int first = 0; first < shape.size(); ++first) {
          const bool has_index = r == Reduction::kArgMax || r == Reduction::kArgMin;
          if (has_index && first + 1 < shape.size()) continue;
          CAPTURE(shape.product());
          CAPTURE(name_of(t));
          CAPTURE(static_cast<int>(r));
          CAPTURE(first);
          const Array x = numbers(queue, shape, t);
          Dims axes;
          for (int d = first; d < shape.size(); ++d) axes.push_back(d);
          const ReduceOptions options{.axes = axes};
          CHECK(same(reduced(x, r, first), reduce(r, x, options, nullptr)));
        }
}

TEST_CASE("user-defined reductions in the forms for GPUs equal others") {
  const Queue queue("native_cpu");
  const UserReduction residue(
      UserOp({.name = "residue",
              .symbol = "user.residue",
              .code = {"define i64 @user.residue(i64 %a, i64 %b) alwaysinline {\n"
                       "  %sum = add i64 %a, %b\n"
                       "  %rest = urem i64 %sum, 1000003\n"
                       "  ret i64 %rest\n"
                       "}\n"},
              .operands = {DType::kInt64, DType::kInt64},
              .result = DType::kInt64}),
      Scalar(0));
  for (const Dims& shape : {Dims{65}, Dims{4'096}, Dims{300'001}, Dims{3, 70'001}, Dims{600, 4'099},
                            Dims{3'000, 34}, Dims{3'000, 3}, Dims{7, 500, 40}})
    for (int64_t axis = 0; axis < shape.size(); ++axis) {
      CAPTURE(shape.product());
      CAPTURE(axis);
      const Array x = numbers(queue, shape, DType::kInt64);
      const ReduceOptions options{.axes = Dims{axis}};
      const Array expected = remainder(reduce(Reduction::kSum, x, options, nullptr), 1'000'003);
      CHECK(same(reduce(residue, x, options), expected));
      const Array result = reduce(residue, x + 0, options);
      {
        const GpuForms forms;
        evaluate(std::span(&result, 1));
      }
      CHECK(same(result, expected));
    }
}

TEST_CASE("argmax of equal lowest numbers is the first index, also by groups") {
  const Queue queue("native_cpu");
  const Array x = full({100'001}, Scalar(-INFINITY), DType::kFloat32, {queue, UsmType::kDevice});
  int64_t where = -1;
  reduced(x, Reduction::kArgMax, 0).item(&where);
  CHECK(where == 0);
}

TEST_CASE("reductions of columns, in pairs where these are aligned, equal other reductions") {
  const Queue queue("native_cpu");
  for (const Dims& shape :
       {Dims{3'000, 34}, Dims{3'000, 33}, Dims{7, 500, 40}, Dims{9, 2, 100, 18}})
    for (DType t : {DType::kInt8, DType::kFloat32, DType::kFloat64, DType::kComplex64})
      for (Reduction r : {Reduction::kSum, Reduction::kMax, Reduction::kArgMax}) {
        if (t == DType::kComplex64 && r != Reduction::kSum) continue;
        CAPTURE(shape.product());
        CAPTURE(name_of(t));
        CAPTURE(static_cast<int>(r));
        const Array x = numbers(queue, shape, t);
        const int64_t axis = x.ndim() - 2;
        std::vector<bool> axes(static_cast<size_t>(x.ndim()), false);
        axes[static_cast<size_t>(axis)] = true;
        Dims fewer = shape;  // no pair of its columns is aligned to a word
        fewer.back() = shape.back() / 2 * 2 - 2;
        const Array odd = strided_view(x, fewer, contiguous_strides(shape), 1);
        const ReduceOptions options{.axes = Dims{axis}};
        for (const Array& of : {x, x + x, odd})
          CHECK(same(reduced(of, r, axes), reduce(r, of, options, nullptr)));
      }
}
