// Pending elements of products of sparse matrices.
#pragma once

#include <array>

#include "array/graph/value.h"

namespace hither::array {

/// Adds products of elements of inputs[0] and inputs[1] in elements of the result. One item has a
/// row; the products of a row are in the order of both matrices' elements.
class SparseSumsRecipe final : public Recipe {
 public:
  /// The structure's vectors are in memory, in C order and of one dtype: pointers to the rows of
  /// the result, the number of each row's first product, the pointers and columns of both
  /// matrices, and the element of the result for each product. `sizes` are those of the inputs.
  using Structure = std::array<Operated, 7>;
  SparseSumsRecipe(Structure structure, int64_t rows, std::array<int64_t, 2> sizes)
      : structure_(std::move(structure)), rows_(rows), sizes_(sizes) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int input) const noexcept override {
    return sizes_[static_cast<size_t>(input)];
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value&) const override { return "sparse_sums"; }

 private:
  Structure structure_;
  int64_t rows_;
  std::array<int64_t, 2> sizes_;
};

}  // namespace hither::array
