// A pending reduction.
#pragma once

#include <vector>

#include "array/combine.h"
#include "array/value.h"

namespace hither::array {

/// Reduces inputs[0], of shape `shape`, over the axes that are marked.
class ReduceRecipe final : public Recipe {
 public:
  ReduceRecipe(Combiner combiner, Dims shape, std::vector<bool> reduced)
      : combiner_(combiner), shape_(std::move(shape)), reduced_(std::move(reduced)) {}

  void submit(Value& value) const override;
  std::string describe(const Value& value) const override;

  /// Submits `value` as a cluster of rows, where it can be one.
  bool submit_in_rows(Value& value) const;

  const Combiner& combiner() const noexcept { return combiner_; }
  const Dims& shape() const noexcept { return shape_; }
  const std::vector<bool>& reduced() const noexcept { return reduced_; }
  /// Whether the operand is walked in C order, as expressions are; other views are walked in the
  /// order of their memory.
  bool walks_in_order(const Input& operand) const;

 private:
  Combiner combiner_;
  Dims shape_;
  std::vector<bool> reduced_;
};

/// Reduces inputs[0] of `value` into its memory, in the kernels that devices of this type get.
/// Under the graph lock; throws WaitFirst.
void reduce_as(DeviceType type, Value& value, const ReduceRecipe& recipe);

/// Submits element-wise `root` by the kernels of the reduction that it is made of, where it is (see
/// find_epilogue()). Under the graph lock; throws the error of a failed input, or WaitFirst.
bool submit_as_epilogue(Value& root);

}  // namespace hither::array
