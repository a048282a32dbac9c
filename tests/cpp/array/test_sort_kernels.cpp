// Sorts by kernels, on the CPU, against the library's. The groups of a pass look back at the counts
// of those before them.
#include <doctest/doctest.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>
#include <hither/sort.h>

#include "array/flush.h"
#include "array/plan/gpu_forms.h"

using namespace hither;
using namespace hither::array;

namespace {

/// Numbers with duplicates, of both signs, without a pattern of powers of two.
Array numbers(const Queue& queue, const Dims& shape, DType dtype) {
  const Array n = iota(shape.product(), 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  return reshape(astype(remainder(n * 7919, 1009) - 500, dtype), shape);
}

bool same(const Array& x, const Array& y) {
  bool result = false;
  all(equal(x, y)).item(&result);
  return result && x.dtype() == y.dtype() && x.shape() == y.shape();
}

Array by_kernels(const Array& x, const SortOptions& options, bool indices) {
  const GpuForms forms;
  const Array sorted = indices ? argsort(x, options) : sort(x, options);
  submit(*sorted.storage()->value());
  return sorted;
}

}  // namespace

TEST_CASE("sorts by kernels equal those of the library") {
  const Queue queue("native_cpu");
  const Dims shapes[] = {{1}, {2}, {255}, {6912}, {6913}, {60'001}, {700, 3}, {33, 120}, {3, 4000}};
  bool descending = false;
  for (DType t : {DType::kBool, DType::kInt8, DType::kFloat16, DType::kUInt32, DType::kFloat32,
                  DType::kInt64, DType::kComplex64, DType::kComplex128})
    for (const Dims& shape : shapes) {
      descending = !descending;  // one order a shape: the kernels compile slowly on CPUs
      CAPTURE(name_of(t));
      CAPTURE(shape[0]);
      CAPTURE(descending);
      const Array x = numbers(queue, shape, t);
      const SortOptions options{.descending = descending};
      CHECK(same(by_kernels(x, options, false), sort(x, options)));
      CHECK(same(by_kernels(x, options, true), argsort(x, options)));
    }
}

TEST_CASE("a sort by kernels of no elements") {
  const Queue queue("native_cpu");
  CHECK(by_kernels(numbers(queue, {4, 0}, DType::kInt32), {}, false).shape() == Dims{4, 0});
}
