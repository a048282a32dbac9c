// The columns of reduce_table.def that kernels depend on, and the dtype that a reduction
// accumulates in.
#pragma once

#include <cstddef>
#include <string>

#include <hither/dtype.h>
#include <hither/reduce.h>

namespace hither::array {

struct UserFunction;

/// How two partial results become one. emit/combine.cpp has the identity and the code of each.
enum class Combination : uint8_t {
  kAdd,
  kMultiply,
  kOr,
  kAnd,
  kSmaller,   ///< the first NaN wins
  kLarger,    ///< the first NaN wins
  kComposed,  ///< no kernel of its own: array/reduce.cpp composes it of other functions
};

/// The dtypes that a reduction takes and returns.
enum class ReductionRule : uint8_t {
  kWidened,   ///< any; bool and integers give int64 or uint64
  kOrdered,   ///< any but complex, and the same result; no elements have no result
  kTruth,     ///< any; elements become bool, result bool
  kCount,     ///< any; elements become bool and are accumulated in int64, result int64
  kIndex,     ///< as kOrdered; the index of the element is carried along, result int64
  kMean,      ///< any; bool and integers give float64
  kVariance,  ///< as kMean; complex gives its real dtype
};

struct ReductionTraits {
  Combination combination;
  ReductionRule rule;
};
inline constexpr ReductionTraits kReductionTraits[] = {
#define HITHER_REDUCTION(name, constant, function, combination, rule, keywords, doc) \
  {Combination::combination, ReductionRule::rule},
#include <hither/reduce_table.def>
#undef HITHER_REDUCTION
};
constexpr ReductionTraits traits_of(Reduction r) noexcept {
  return kReductionTraits[static_cast<size_t>(r)];
}
constexpr bool returns_index(Reduction r) noexcept {
  return traits_of(r).rule == ReductionRule::kIndex;
}

/// One reduction (not a composed one), accumulating in `dtype`.
struct Accumulation {
  Reduction reduction;
  DType dtype;
  /// Used instead of the reduction's combination and identity for user-defined reductions, whose
  /// `reduction` is kSum.
  const UserFunction* user = nullptr;

  bool with_index() const noexcept { return returns_index(reduction); }
  bool operator==(const Accumulation&) const = default;
};

/// The function's name: "sum", or that of the user's function.
std::string name_of(const Accumulation& accumulation);

/// Lanes of the vectors that accumulate on devices whose items have vectors. The width is a part of
/// the order of operations, so results depend on it.
int accumulator_width(const Accumulation& accumulation) noexcept;

}  // namespace hither::array
