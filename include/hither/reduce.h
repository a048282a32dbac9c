// Lazy reductions over any axes. The reduced expression is computed inside the kernel of the
// reduction.
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
  /// The axes to reduce; negative axes count from the end. nullopt reduces all axes, an empty list
  /// none. argmin and argmax take one axis or all.
  std::optional<Dims> axes;
  /// Keeps reduced axes with extent 1.
  bool keepdims = false;
  /// For sum, prod, mean, var and std: the dtype of computation and result.
  std::optional<DType> dtype;
  /// For var and std: the divisor is the number of elements minus this.
  double correction = 0;
};

/// The default result dtype of `r` for `dtype`: sum and prod of bool and small integers give int64
/// or uint64, mean, var and std of integers float64, var and std of complex their real dtype, any
/// and all bool, count_nonzero, argmin and argmax int64. Error kType if the reduction does not
/// support the dtype.
HITHER_EXPORT DType result_dtype(Reduction r, DType dtype);

/// Reduces x. Floats accumulate in their dtype (float16 in float32) along a tree that depends only
/// on shape, dtype and axes, so that the bits depend neither on threads nor on fusion. min, max,
/// argmin and argmax return (the first) NaN if there is one. `queue` replaces the queue of x.
/// Errors: kIndex and kValue for axes, kType for dtypes, kValue for min, max, argmin and argmax of
/// empty arrays.
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
