// Arrays with elements around them, and rolled arrays: the pending value and its kernel.
#pragma once

#include <hither/manipulate.h>
#include <llvm/ADT/SmallVector.h>

#include "array/graph/value.h"

namespace hither::array {

/// An axis of an array that is extended: the element at c comes from c - before, and if that is
/// outside of the array, from where `border` says.
struct ExtendedAxis {
  int64_t extent, stride;     ///< of the array, in elements
  int64_t before, after = 0;  ///< number of elements that are added
  Border border = Border::kConstant;

  int64_t length() const noexcept { return before + extent + after; }
};

/// The elements of inputs[0], and around them what the borders say. `fill` is the constant.
class ExtendRecipe final : public Recipe {
 public:
  using Axes = llvm::SmallVector<ExtendedAxis, 4>;

  ExtendRecipe(const Axes& axes, Input fill) : axes_(merged(axes)), fill_(std::move(fill)) {}
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value&) const override { return "extend"; }

 private:
  static Axes merged(const Axes& axes);

  Axes axes_;
  Input fill_;
};

}  // namespace hither::array
