// Scans and differences: checks arguments and makes recipes.
#include <hither/scan.h>

#include <vector>

#include <fmt/format.h>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>
#include <hither/user_op.h>

#include "array/flush.h"
#include "array/form/user_function.h"
#include "array/placed.h"
#include "array/scan_recipe.h"

namespace hither {

using namespace array;

namespace {

/// What a scan computes.
struct Operation {
  Accumulation accumulation;
  std::shared_ptr<const UserFunction> user;
  DType result;
  Scalar identity;
};

Operation operation_of(Reduction r, const Array& x, const ScanOptions& options) {
  require_arithmetic(scan_name({r, x.dtype()}), options.dtype.value_or(x.dtype()));
  const DType dtype = options.dtype.value_or(result_dtype(r, x.dtype()));
  return {{r, wide_dtype(dtype)}, nullptr, dtype, Scalar(r == Reduction::kSum ? 0 : 1)};
}

Array scanned(const Operation& operation, const Array& x, const ScanOptions& options,
              const Queue* queue) {
  const std::string where = scan_name(operation.accumulation);
  if (!options.axis && x.ndim() != 1)
    throw Error(ErrorKind::kValue, std::string(where),
                fmt::format("axis is needed for an array of {} dimensions", x.ndim()));
  const int axis = normalize_axis(options.axis.value_or(0), x.ndim(), where);
  const DType dtype = operation.result;
  const bool is_truth = traits_of(operation.accumulation.reduction).rule == ReductionRule::kTruth;
  if (is_complex(x.dtype()) && !is_complex(dtype) && !is_truth)
    throw Error(ErrorKind::kType, std::string(where),
                fmt::format("{} cannot be accumulated in {}", name_of(x.dtype()), name_of(dtype)));
  const Placed placed = place_arrays(where, {&x}, queue);
  Dims shape = x.shape();
  ScanShape extents{.along = shape[axis]};
  for (int d = 0; d < x.ndim(); ++d)
    if (d != axis) (d < axis ? extents.outer : extents.inner) *= shape[d];
  shape[axis] += options.include_initial ? 1 : 0;
  if (x.size() == 0) return full(shape, operation.identity, dtype, {placed.queue, placed.usm_type});
  return finish_recipe(shape, dtype, operation.accumulation.dtype, {placed.queue, placed.usm_type},
                       {&x, 1},
                       std::make_unique<ScanRecipe>(operation.accumulation, extents,
                                                    options.include_initial, operation.user));
}

Array part_of(const Array& x, int axis, int64_t first) {
  Dims shape = x.shape();
  --shape[axis];
  return strided_view(x, shape, x.strides(), shape[axis] > 0 ? first * x.strides()[axis] : 0);
}

}  // namespace

Array cumulative_sum(const Array& x, const ScanOptions& options, const Queue* queue) {
  return scanned(operation_of(Reduction::kSum, x, options), x, options, queue);
}

Array cumulative_prod(const Array& x, const ScanOptions& options, const Queue* queue) {
  return scanned(operation_of(Reduction::kProd, x, options), x, options, queue);
}

Array accumulate(Reduction r, const Array& x, int64_t axis, const Queue* queue) {
  const ReductionRule rule = traits_of(r).rule;
  if (rule != ReductionRule::kOrdered && rule != ReductionRule::kTruth)
    throw Error(ErrorKind::kValue, "accumulate",
                fmt::format("{} is not min, max, any or all", name_of(r)));
  const ScanOptions options{.axis = axis};
  return scanned(operation_of(r, x, options), x, options, queue);
}

Array scan(const UserReduction& reduction, const Array& x, const ScanOptions& options,
           const Queue* queue) {
  const DType dtype = reduction.source().operands[0];
  const auto& user = reduction.function();
  return scanned({{Reduction::kSum, dtype, user.get()},
                  user,
                  options.dtype.value_or(dtype),
                  reduction.identity()},
                 x, options, queue);
}

Array diff(const Array& x, int64_t axis, int64_t times, const Array* prepend, const Array* append,
           const Queue* queue) {
  const int d = normalize_axis(axis, x.ndim(), "diff");
  if (times < 0)
    throw Error(ErrorKind::kValue, "diff", fmt::format("n is {}; it must not be negative", times));
  std::vector<Array> parts;
  if (prepend) parts.push_back(*prepend);
  parts.push_back(x);
  if (append) parts.push_back(*append);
  Array result = parts.size() == 1 ? x : concat(parts, d, queue);
  const Op op = x.dtype() == DType::kBool ? Op::not_equal : Op::subtract;
  for (int64_t i = 0; i < times && result.shape()[d] > 0; ++i) {
    const Array upper = part_of(result, d, 1), lower = part_of(result, d, 0);
    const Operand both[] = {upper, lower};
    result = apply(op, both, queue);
  }
  return result;
}

}  // namespace hither
