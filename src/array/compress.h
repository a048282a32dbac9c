// Selection of elements by a mask.
#pragma once

#include <hither/array.h>

#include "array/graph/value.h"
#include "array/placed.h"

namespace hither::array {

/// The true elements of a mask, counted. The mask is bool, ready and dense, and outlives this.
class Selection {
 public:
  /// With `leading` the mask is that of all elements but the first, which is selected too; it then
  /// has at least one element. Blocks, so the caller must not hold a graph lock.
  Selection(Value& mask, bool leading, const Placed& placed);

  /// The selected elements of `x` along one axis; with `x` null, their C-order positions as int64.
  /// `x` is ready, dense and of the mask's size, with `leading` of one element more. May wait.
  ValueRef take(Value* x) const;

 private:
  void count_by_groups();
  void count_on_host();

  Value& mask_;
  const bool leading_, on_gpu_;
  bool aligned_ = false;  ///< whether the mask may be read in words
  const Placed placed_;
  int64_t count_ = 0;
  Array starts_;  ///< number of selected elements before each chunk, then of all
};

}  // namespace hither::array
