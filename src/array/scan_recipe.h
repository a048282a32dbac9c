// Pending scans.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// Extents before, along and after the axis of a scan, all positive.
struct ScanShape {
  int64_t outer = 1, along = 1, inner = 1;
};

/// The name of a scan: "cumulative_sum", or that of the user's function.
std::string scan_name(const Accumulation& accumulation);

/// Scans inputs[0], of shape `shape`. With `initial` the result starts with the result for no
/// elements. `user` keeps the accumulation's function.
class ScanRecipe final : public Recipe {
 public:
  ScanRecipe(Accumulation accumulation, ScanShape shape, bool initial,
             std::shared_ptr<const UserFunction> user = nullptr)
      : accumulation_(accumulation), user_(std::move(user)), shape_(shape), initial_(initial) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int) const noexcept override {
    return shape_.outer * shape_.along * shape_.inner;
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  Accumulation accumulation_;
  std::shared_ptr<const UserFunction> user_;
  ScanShape shape_;
  bool initial_;
};

}  // namespace hither::array
