// Pending reductions of segments.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// Reduces the elements begins[s] to ends[s] of inputs[0] along its first axis, for each segment s.
/// The begins and ends are inputs[1] and inputs[2]. One item reduces one segment, in order.
class SegmentRecipe final : public Recipe {
 public:
  /// `size` elements of inputs[0], of which `inner` have one index on the first axis.
  SegmentRecipe(Accumulation accumulation, int64_t size, int64_t inner)
      : accumulation_(accumulation), size_(size), inner_(inner) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value& value, int input) const noexcept override {
    return input == 0 ? size_ : value.layout->size / inner_;
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  Accumulation accumulation_;
  int64_t size_, inner_;
};

}  // namespace hither::array
