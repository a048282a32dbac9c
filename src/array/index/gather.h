// Reads through integer index arrays: the pending value and its kernel.
#pragma once

#include "array/graph/value.h"

namespace hither::array {

/// The shape of a read: x is viewed as (outer axes) x (indexed axes) x (inner axes).
struct GatherShape {
  Dims outer, inner;                  ///< extents of x's axes before and after the indexed ones
  Dims outer_strides, inner_strides;  ///< of x, in elements
  /// All offsets are first + k * step, 0 <= k < slots.
  int64_t first = 0, step = 1, slots = 1;
  /// Gathers: offsets that are out of range are replaced by the nearest one.
  bool clamped = false;
  /// Each outer element has its own offsets, in an array of shape outer x indices.
  bool own_indices = false;
};

/// The only indexed axis, if the kernel that reads x checks its indices. Negative ones count from
/// the end.
struct CheckedAxis {
  int64_t extent, stride;
  Memory found;  ///< a byte that becomes 1 if an index is out of range
};

/// inputs[0] is x. inputs[1] holds int64 offsets into x's indexed axes, in elements of x. They are
/// in range unless the shape is `clamped`. With a checked axis, it holds indices of any integer
/// dtype; those out of range read any element.
class GatherRecipe final : public Recipe {
 public:
  explicit GatherRecipe(GatherShape shape, std::optional<CheckedAxis> checked = std::nullopt)
      : shape_(std::move(shape)), checked_(std::move(checked)) {}
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  GatherShape shape_;
  std::optional<CheckedAxis> checked_;
};

/// Memory for the table of a scatter, which clears it; nothing if there is not enough.
Memory table_memory(const Queue& queue, size_t bytes);

/// Writes `values` into x's memory. They are dense, of shape outer x indices x inner and of x's
/// dtype, or one element when `scalar`. Writes are in the order of the indices unless these are
/// `unique`. With `combine`, a write stores the old element combined with the new one. Under the
/// graph lock; returns the event.
Event run_scatter(Value& target, const Layout& layout, const GatherShape& shape, Value& offsets,
                  Value& values, bool scalar, bool unique, std::optional<Reduction> combine);

}  // namespace hither::array
