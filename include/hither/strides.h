// How strides walk memory: sizes of shapes, C order, and what a layout reaches.
#pragma once

#include <limits>
#include <optional>

#include <hither/dims.h>
#include <hither/export.h>

namespace hither {

/// The most elements that a shape may have, extents of 0 left out: so many bytes fit an int64,
/// whatever the dtype.
inline constexpr int64_t kMaxElements = std::numeric_limits<int64_t>::max() / 16;

/// The number of elements of a shape. Error kValue when an extent is negative, or when there are
/// more than kMaxElements.
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

/// Whether strides, in units of `step`, are those of C order. Axes of extent 1 do not count; an
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

/// Bytes from the element at index 0, 0, ... to the lowest one (0 or less) and to the end of the
/// highest; both 0 for an empty array.
struct Reach {
  int64_t low = 0, high = 0;
};
/// `unit`: bytes that a stride of 1 moves; `item`: bytes of an element. Nothing beyond 64 bits.
HITHER_EXPORT std::optional<Reach> reach_of(const Dims& shape, const Dims& strides, int64_t unit,
                                            int64_t item) noexcept;

}  // namespace hither
