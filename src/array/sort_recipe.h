// Pending sorts.
#pragma once

#include "array/graph/value.h"

namespace hither::runtime {
class SortLibrary;
}

namespace hither::array {

/// Sorts rows of `length` elements of inputs[0]: their values, or with `indices` their stable
/// order. The value's shape is that of inputs[0], with the sorted axis last.
class SortRecipe final : public Recipe {
 public:
  SortRecipe(int64_t length, bool descending, bool indices)
      : length_(length), descending_(descending), indices_(indices) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value& value, int) const noexcept override {
    return value.layout->size;
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value&) const override { return indices_ ? "argsort" : "sort"; }

 private:
  void sort_on_host(Value& value, const Operated& x, const runtime::SortLibrary& library) const;

  int64_t length_;
  bool descending_, indices_;
};

}  // namespace hither::array
