// Pending cumulative sums and products.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// Extents before, along and after the axis of a scan, all positive.
struct ScanShape {
  int64_t outer = 1, along = 1, inner = 1;
};

/// Scans inputs[0], of shape `shape`. With `initial` the result starts with the sum or product of
/// no elements.
class ScanRecipe final : public Recipe {
 public:
  ScanRecipe(Accumulation accumulation, ScanShape shape, bool initial)
      : accumulation_(accumulation), shape_(shape), initial_(initial) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int) const noexcept override {
    return shape_.outer * shape_.along * shape_.inner;
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  Accumulation accumulation_;
  ScanShape shape_;
  bool initial_;
};

}  // namespace hither::array
