// Pending results of the device library's functions of matrices, which one item each computes a
// part of.
#pragma once

#include <string>
#include <vector>

#include "array/graph/value.h"

namespace hither::array {

/// x in memory, in C order, for reading by a recipe on `queue`. Pending work for it is submitted.
Operated submitted(const Array& x, const Queue& queue, bool& escaped);

/// Calls a function of the device library, whose name is hither_NAME_TYPE, in each of a number of
/// items.
class RowFunctionRecipe final : public Recipe {
 public:
  RowFunctionRecipe(std::string function, std::vector<Operated> operands,
                    std::vector<int64_t> integers, int64_t items)
      : function_(std::move(function)),
        operands_(std::move(operands)),
        integers_(std::move(integers)),
        items_(items) {}

  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value&) const override { return function_; }

 private:
  std::string function_;
  std::vector<Operated> operands_;
  std::vector<int64_t> integers_;
  int64_t items_;
};

}  // namespace hither::array
