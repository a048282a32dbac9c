// Reductions over any axes, lazy: the expression that is reduced is computed inside the reduction's
// own kernel.
#pragma once

#include <optional>
#include <string_view>

#include <hither/array.h>

namespace hither {

/// Every reduction; reduce_table.def lists name, combination, dtype rule, keywords and one line of
/// documentation for each.
enum class Reduction : uint8_t {
#define HITHER_REDUCTION(name, constant, function, combination, rule, keywords, doc) constant,
#include <hither/reduce_table.def>
#undef HITHER_REDUCTION
};
/// The function's name: "sum", "argmax", "count_nonzero".
HITHER_EXPORT std::string_view name_of(Reduction r) noexcept;

struct ReduceOptions {
  /// Axes to reduce, negative ones from the end; empty optional: all. An empty list reduces
  /// nothing. argmin and argmax take one axis or all.
  std::optional<Dims> axes;
  /// Reduced axes stay, with extent 1.
  bool keepdims = false;
  /// Of sum, prod, mean, var and std: the dtype to compute and return.
  std::optional<DType> dtype;
  /// Of var and std: the divisor is the number of elements minus this.
  double correction = 0;
};

/// The dtype that `r` of `dtype` returns when none is asked for: sum and prod of bool and small
/// integers give int64 or uint64, mean, var and std of integers float64, var and std of complex
/// their real dtype, any and all bool, count_nonzero, argmin and argmax int64. Error kType when
/// refused.
HITHER_EXPORT DType result_dtype(Reduction r, DType dtype);

/// Reduces x. Floats accumulate in their dtype (float16 in float32) along a tree that shape, dtype
/// and axes fix, so the bits depend neither on threads nor on what was fused. min, max, argmin and
/// argmax give (the first) NaN where there is one. `queue`: run there instead of where x is.
/// Errors: kIndex and kValue for axes, kType for dtypes, kValue for min, max, argmin and argmax of
/// no elements.
HITHER_EXPORT Array reduce(Reduction r, const Array& x, const ReduceOptions& options = {},
                           const Queue* queue = nullptr);

#define HITHER_REDUCTION(name, constant, function, combination, rule, keywords, doc) \
  inline Array function(const Array& x, const ReduceOptions& options = {},           \
                        const Queue* queue = nullptr) {                              \
    return reduce(Reduction::constant, x, options, queue);                           \
  }
#include <hither/reduce_table.def>
#undef HITHER_REDUCTION

}  // namespace hither
