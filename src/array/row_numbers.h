// Pending numbers of rows.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// For each element of a sparse matrix in rows, its row. inputs[0] has the pointers to the rows.
class RowNumbersRecipe final : public Recipe {
 public:
  /// `rows` is one less than the number of pointers.
  explicit RowNumbersRecipe(int64_t rows) : rows_(rows) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int) const noexcept override { return rows_ + 1; }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value&) const override { return "row_numbers"; }

 private:
  int64_t rows_;
};

}  // namespace hither::array
