// A pending cumulative sum or product.
#pragma once

#include "array/combine.h"
#include "array/value.h"

namespace hither::array {

/// Extents before, along and after the axis of a scan, all positive.
struct ScanShape {
  int64_t outer = 1, along = 1, inner = 1;
};

/// Scans inputs[0], of shape `shape`. With `initial` the result starts with what an empty sum is.
class ScanRecipe final : public Recipe {
 public:
  ScanRecipe(Combiner combiner, ScanShape shape, bool initial)
      : combiner_(combiner), shape_(shape), initial_(initial) {}

  void submit(Value& value) const override;
  std::string describe(const Value& value) const override;

 private:
  Combiner combiner_;
  ScanShape shape_;
  bool initial_;
};

}  // namespace hither::array
