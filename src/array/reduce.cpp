// Reductions: checks arguments and makes pending nodes.
#include <hither/reduce.h>

#include <algorithm>

#include <fmt/format.h>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/user_op.h>

#include "array/flush.h"
#include "array/form/user_function.h"
#include "array/graph/value.h"
#include "array/memory_order.h"
#include "array/placed.h"

namespace hither {

using namespace array;

namespace {

bool is_moment(Reduction r) {
  const ReductionRule rule = traits_of(r).rule;
  return rule == ReductionRule::kMean || rule == ReductionRule::kVariance;
}
bool needs_order(Reduction r) {
  return returns_index(r) || traits_of(r).rule == ReductionRule::kOrdered;
}

struct Shapes {
  std::vector<bool> reduced;
  Dims kept;          ///< without the reduced axes
  Dims with_ones;     ///< reduced axes of extent 1
  int64_t count = 1;  ///< elements reduced into one
};

Shapes shapes_of(std::string_view name, Reduction r, const Array& x, const ReduceOptions& options) {
  Shapes s;
  s.reduced.assign(static_cast<size_t>(x.ndim()), !options.axes);
  if (options.axes) {
    if (returns_index(r) && options.axes->size() != 1)
      throw Error(ErrorKind::kValue, std::string(name),
                  "takes a single axis, or None for all elements");
    for (int64_t axis : normalize_axes(*options.axes, x.ndim(), name))
      s.reduced[static_cast<size_t>(axis)] = true;
  }
  for (int d = 0; d < x.ndim(); ++d) {
    const int64_t n = x.shape()[d];
    const bool reduced = s.reduced[static_cast<size_t>(d)];
    if (reduced)
      s.count *= n;
    else
      s.kept.push_back(n);
    s.with_ones.push_back(reduced ? 1 : n);
  }
  if (s.count == 0 && needs_order(r)) {
    int axis = 0;
    while (!s.reduced[static_cast<size_t>(axis)] || x.shape()[axis] != 0) ++axis;
    throw Error(ErrorKind::kValue, std::string(name),
                fmt::format("axis {} of shape {} is empty; {} of no elements is undefined", axis,
                            shape_text(x.shape()), name));
  }
  return s;
}

DType accumulator_of(Reduction r, DType operand, DType result) {
  switch (traits_of(r).rule) {
    case ReductionRule::kTruth:
      return DType::kBool;
    case ReductionRule::kCount:
      return DType::kInt64;
    case ReductionRule::kIndex:
      if (operand == DType::kBool) return DType::kUInt8;
      return wide_dtype(operand);
    default:
      return wide_dtype(result);
  }
}

/// What reduce_plainly() computes: a row of the table that is not composed, or a user's operation.
struct Operation {
  Reduction reduction;
  DType result;
  const UserReduction* user = nullptr;

  std::string name() const { return user ? user->source().name : std::string(name_of(reduction)); }
  Accumulation accumulation(DType operand) const {
    if (user) return {reduction, user->source().operands[0], user->function().get()};
    return {reduction, accumulator_of(reduction, operand, result)};
  }
  // The result for no elements, where it is defined.
  Scalar identity() const {
    if (user) return user->identity();
    const Combination combination = traits_of(reduction).combination;
    return combination == Combination::kMultiply || combination == Combination::kAnd;
  }
};

Array reduce_plainly(const Operation& operation, const Array& x, const Shapes& s, bool keepdims,
                     const Queue* queue);

// Reduces the array in memory order. The result's axes are in the memory order of the kept axes.
Array reduce_in_order(const Operation& operation, const Array& x, const Shapes& s,
                      const Dims& order, bool keepdims, const Queue* queue) {
  Shapes moved;
  moved.count = s.count;
  Dims kept;
  for (int64_t d : order) {
    const bool reduced = s.reduced[static_cast<size_t>(d)];
    moved.reduced.push_back(reduced);
    moved.with_ones.push_back(s.with_ones[static_cast<int>(d)]);
    if (reduced) continue;
    moved.kept.push_back(x.shape()[static_cast<int>(d)]);
    kept.push_back(std::count(s.reduced.begin(), s.reduced.begin() + d, false));
  }
  const Array result = reduce_plainly(operation, in_order(x, order), moved, keepdims, queue);
  return from_order(result, keepdims ? order : kept);
}

// A reduction by one kernel, or by stages of partial results.
Array reduce_plainly(const Operation& operation, const Array& x, const Shapes& s, bool keepdims,
                     const Queue* queue) {
  // argmin and argmax return the first of equal elements in C order, so they do not use memory
  // order.
  if (!returns_index(operation.reduction) ||
      std::count(s.reduced.begin(), s.reduced.end(), true) == 1)
    if (const auto order = memory_order(*x.layout()))
      return reduce_in_order(operation, x, s, *order, keepdims, queue);
  const Placed placed = place_arrays(operation.name(), {&x}, queue);
  const Dims& shape = keepdims ? s.with_ones : s.kept;
  if (x.size() == 0)
    return full(shape, operation.identity(), operation.result, {placed.queue, placed.usm_type});
  const Accumulation accumulation = operation.accumulation(x.dtype());
  ValueRef node = make_node(ValueKind::kReduce, contiguous_layout(placed.queue, shape),
                            operation.result, accumulation.dtype, placed.usm_type);
  node->input_count = 1;
  bool escaped = false;
  node->inputs[0] = operand_input(x, x.layout(), placed.queue, escaped);
  node->reduce = std::make_unique<Reduce>(accumulation, x.shape(), s.reduced,
                                          operation.user ? operation.user->function() : nullptr);
  node->reduces = true;
  bound(*node);
  return finish(std::move(node), escaped);
}

Array mean_of(const Array& x, const Shapes& s, bool keepdims, DType dtype, const Queue* queue) {
  const DType wide = wide_dtype(dtype);
  const Array total = reduce_plainly({Reduction::kSum, wide}, x, s, keepdims, queue);
  const Array result = total / Scalar(static_cast<double>(s.count));
  return result.dtype() == dtype ? result : astype(result, dtype);
}

// Two passes: the mean, then the sum of the squared distances from it.
Array variance_of(const Array& x, const Shapes& s, const ReduceOptions& options, DType dtype,
                  bool root, const Queue* queue) {
  const DType wide = wide_dtype(dtype);
  const DType compute = is_complex(x.dtype()) && !is_complex(wide)
                            ? (wide == DType::kFloat32 ? DType::kComplex64 : DType::kComplex128)
                            : wide;
  const Array operand = x.dtype() == compute ? x : astype(x, compute);
  const Array middle = mean_of(operand, s, true, compute, queue);
  const Operand both[] = {operand, middle};
  const Array distance = apply(Op::subtract, both, queue);
  Array squares =
      is_complex(compute) ? square(real(distance)) + square(imag(distance)) : square(distance);
  const Array total =
      reduce_plainly({Reduction::kSum, squares.dtype()}, squares, s, options.keepdims, nullptr);
  const double divisor = std::max(static_cast<double>(s.count) - options.correction, 0.0);
  Array result = total / Scalar(divisor);
  if (root) result = sqrt(result);
  return result.dtype() == real_dtype(dtype) ? result : astype(result, real_dtype(dtype));
}

void check_dtype(Reduction r, const Array& x, DType dtype) {
  if (traits_of(r).rule != ReductionRule::kWidened && !is_moment(r))
    throw Error(ErrorKind::kType, std::string(name_of(r)),
                "does not take a dtype; cast the result");
  if (is_moment(r) && !is_floating(dtype) && !is_complex(dtype))
    throw Error(ErrorKind::kType, std::string(name_of(r)),
                fmt::format("dtype is {}; it must be a floating-point dtype", name_of(dtype)));
  if (is_complex(x.dtype()) && !is_complex(dtype) && traits_of(r).rule != ReductionRule::kVariance)
    throw Error(ErrorKind::kType, std::string(name_of(r)),
                fmt::format("{} cannot be reduced in {}", name_of(x.dtype()), name_of(dtype)));
}

}  // namespace

std::string_view name_of(Reduction r) noexcept {
  constexpr std::string_view names[] = {
#define HITHER_REDUCTION(name, constant, function, combination, rule, keywords, doc) #name,
#include <hither/reduce_table.def>
#undef HITHER_REDUCTION
  };
  return names[static_cast<int>(r)];
}

DType result_dtype(Reduction r, DType dtype) {
  if (needs_order(r) && is_complex(dtype))
    throw Error(ErrorKind::kType, std::string(name_of(r)),
                fmt::format("{} has no order; reduce real(x), imag(x) or abs(x)", name_of(dtype)));
  const ReductionRule rule = traits_of(r).rule;
  switch (rule) {
    case ReductionRule::kTruth:
      return DType::kBool;
    case ReductionRule::kCount:
    case ReductionRule::kIndex:
      return DType::kInt64;
    case ReductionRule::kWidened:
      if (kind_of(dtype) == DTypeKind::kUInt) return DType::kUInt64;
      return dtype == DType::kBool || is_integer(dtype) ? DType::kInt64 : dtype;
    case ReductionRule::kMean:
    case ReductionRule::kVariance:
      if (dtype == DType::kBool || is_integer(dtype)) return DType::kFloat64;
      return rule == ReductionRule::kMean ? dtype : real_dtype(dtype);
    case ReductionRule::kOrdered:
      break;
  }
  return dtype;
}

Array reduce(Reduction r, const Array& x, const ReduceOptions& options, const Queue* queue) {
  const Shapes s = shapes_of(name_of(r), r, x, options);
  if (options.dtype) check_dtype(r, x, *options.dtype);
  require_arithmetic(name_of(r), options.dtype.value_or(x.dtype()));
  const DType dtype = options.dtype.value_or(result_dtype(r, x.dtype()));
  switch (r) {
    case Reduction::kMean:
      return mean_of(x, s, options.keepdims, dtype, queue);
    case Reduction::kVar:
      return variance_of(x, s, options, dtype, false, queue);
    case Reduction::kStd:
      return variance_of(x, s, options, dtype, true, queue);
    default:
      if (traits_of(r).combination == Combination::kComposed)
        throw Error(ErrorKind::kInternal, std::string(name_of(r)), "is not composed in reduce()");
      return reduce_plainly({r, dtype}, x, s, options.keepdims, queue);
  }
}

Array reduce(const UserReduction& reduction, const Array& x, const ReduceOptions& options,
             const Queue* queue) {
  const std::string& name = reduction.source().name;
  const DType compute = reduction.source().operands[0];
  const DType dtype = options.dtype.value_or(compute);
  require_arithmetic(name, x.dtype());
  if (is_complex(x.dtype()) && !is_complex(compute))
    throw Error(ErrorKind::kType, name,
                fmt::format("{} cannot be reduced in {}", name_of(x.dtype()), name_of(compute)));
  return reduce_plainly({Reduction::kSum, dtype, &reduction}, x,
                        shapes_of(name, Reduction::kSum, x, options), options.keepdims, queue);
}

}  // namespace hither
