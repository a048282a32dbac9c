// Sizes of shapes, strides in C order, and the memory range of a layout.
#pragma once

#include <limits>
#include <optional>

#include <hither/dims.h>
#include <hither/export.h>

namespace hither {

/// The largest number of elements of a shape, not counting extents of 0: their bytes fit an int64
/// for each dtype.
inline constexpr int64_t kMaxElements = std::numeric_limits<int64_t>::max() / 16;

/// The number of elements of a shape. Error kValue if an extent is negative or the number exceeds
/// kMaxElements.
HITHER_EXPORT int64_t element_count(const Dims& shape);

/// Strides of C order, in units of `step`.
inline Dims contiguous_strides(const Dims& shape, int64_t step = 1) noexcept {
  Dims strides(shape.size(), step);
  for (int d = shape.size() - 1; d >= 0; --d) {
    strides[d] = step;
    (void)__builtin_mul_overflow(step, shape[d], &step);  // a shape that is too large is refused
  }
  return strides;
}

/// Whether strides, in units of `step`, are those of C order. Axes of extent 1 are ignored; an
/// empty array is contiguous.
inline bool is_contiguous(const Dims& shape, const Dims& strides, int64_t step = 1) noexcept {
  bool dense = true;
  for (int d = shape.size() - 1; d >= 0; --d) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != step) dense = false;
    (void)__builtin_mul_overflow(step, shape[d], &step);
  }
  return dense;
}

/// Byte offsets, relative to the element at index 0, 0, ..., of the lowest element (0 or less) and
/// of the end of the highest one; both 0 for an empty array.
struct Reach {
  int64_t low = 0, high = 0;
};
/// `unit`: bytes of a stride of 1; `item`: bytes of an element. nullopt if 64 bits overflow.
HITHER_EXPORT std::optional<Reach> reach_of(const Dims& shape, const Dims& strides, int64_t unit,
                                            int64_t item) noexcept;

}  // namespace hither
