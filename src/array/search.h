// Pending binary searches.
#pragma once

#include <hither/index.h>

#include "array/graph/value.h"

namespace hither::array {

/// For each element of the last operand, its insertion index in inputs[0], which is one-dimensional
/// and not empty; or, of three operands, the value there of the piecewise linear function through
/// the points (inputs[0], inputs[1]). All operands have the dtype `compute`.
class SearchRecipe final : public Recipe {
 public:
  SearchRecipe(int64_t count, SearchSide side) : count_(count), side_(side) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value& value, int input) const noexcept override {
    return input + 1 < value.input_count ? count_ : value.layout->size;
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  int64_t count_;  ///< number of elements of inputs[0]
  SearchSide side_;
};

}  // namespace hither::array
