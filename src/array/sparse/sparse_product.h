// Pending products of sparse matrices in rows.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// Multiplies the rows of a sparse matrix by a vector or a matrix. inputs[0] has the elements,
/// inputs[1] their columns, and inputs[2] is x. The elements of row r are those from begins[r] to
/// ends[r]. One item computes one element of the result.
class SparseProductRecipe final : public Recipe {
 public:
  /// Row r is described by elements r of `begins` and `ends`, which are in memory, in C order and
  /// of one dtype. `size` is the number of elements of inputs[0], `x_size` that of x.
  SparseProductRecipe(Operated begins, Operated ends, int64_t size, int64_t x_size)
      : begins_(std::move(begins)), ends_(std::move(ends)), size_(size), x_size_(x_size) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int input) const noexcept override {
    return input == 2 ? x_size_ : size_;
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value&) const override { return "sparse_product"; }

 private:
  Operated begins_, ends_;
  int64_t size_, x_size_;
};

}  // namespace hither::array
