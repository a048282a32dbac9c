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

 private:
  Combiner combiner_;
  Dims shape_;
  std::vector<bool> reduced_;
};

}  // namespace hither::array
