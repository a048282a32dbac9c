// A pending product of matrices, done by the device's BLAS.
#pragma once

#include "array/value.h"

namespace hither::array {

/// inputs[0] and inputs[1] seen through these layouts: equal leading extents, then m x k and k x n,
/// each with one contiguous axis.
class ProductRecipe final : public Recipe {
 public:
  ProductRecipe(LayoutRef a, LayoutRef b) : a_(std::move(a)), b_(std::move(b)) {}
  void submit(Value& value) const override;
  std::string describe(const Value& value) const override;

 private:
  LayoutRef a_, b_;
};

}  // namespace hither::array
