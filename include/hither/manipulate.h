// Joining, rearranging and repeating arrays.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <hither/array.h>

namespace hither {

/// A view with the axes in this order: axis d of the result is axes[d] of x (negative from the
/// end). Error kValue unless axes is a permutation.
HITHER_EXPORT Array permute_dims(const Array& x, const Dims& axes);
/// A view with axes moved: source[i] becomes axis destination[i], the others keep their order.
HITHER_EXPORT Array moveaxis(const Array& x, const Dims& source, const Dims& destination);
/// x with another shape, one extent may be -1; a view when strides allow it (Error kValue with
/// copy = false when they do not), else a copy; copy = true always copies.
HITHER_EXPORT Array reshape(const Array& x, const Dims& shape,
                            std::optional<bool> copy = std::nullopt);
/// A view without these axes, of extent 1 each (Error kValue otherwise).
HITHER_EXPORT Array squeeze(const Array& x, const Dims& axes);
/// A view with a new axis of extent 1 at this place of the result.
HITHER_EXPORT Array expand_dims(const Array& x, int axis);
/// A view with axes reversed; all without `axes`.
HITHER_EXPORT Array flip(const Array& x, const std::optional<Dims>& axes = std::nullopt);

/// Joins arrays along an axis that exists (without axis: flattened ones); dtypes promote. Each part
/// is computed straight into its place. Submitted at once.
HITHER_EXPORT Array concat(std::span<const Array> arrays, std::optional<int> axis = 0,
                           const Queue* queue = nullptr);
/// Joins arrays of one shape along a new axis.
HITHER_EXPORT Array stack(std::span<const Array> arrays, int axis = 0,
                          const Queue* queue = nullptr);
/// Views of x at each index of an axis.
HITHER_EXPORT std::vector<Array> unstack(const Array& x, int axis = 0);
/// Elements moved by shifts[i] along axes[i], what leaves at the end enters at the start; without
/// axes one shift moves the flattened array.
HITHER_EXPORT Array roll(const Array& x, const Dims& shifts,
                         const std::optional<Dims>& axes = std::nullopt,
                         const Queue* queue = nullptr);
/// Each element `count` times in a row along an axis (without axis: of the flattened array).
HITHER_EXPORT Array repeat(const Array& x, int64_t count, std::optional<int> axis = std::nullopt,
                           const Queue* queue = nullptr);
/// Element i counts[i] times; counts is a 1-D integer array of the axis's extent. Waits for it.
HITHER_EXPORT Array repeat(const Array& x, const Array& counts,
                           std::optional<int> axis = std::nullopt, const Queue* queue = nullptr);
/// The whole array repeats[d] times along each axis d (the last axes when there are fewer).
HITHER_EXPORT Array tile(const Array& x, const Dims& repeats, const Queue* queue = nullptr);

/// The axis counted from the start; Error kIndex naming `where` when there is no such axis.
HITHER_EXPORT int normalize_axis(int64_t axis, int ndim, std::string_view where);
/// The same of a list; Error kValue when one comes twice.
HITHER_EXPORT Dims normalize_axes(const Dims& axes, int ndim, std::string_view where);

}  // namespace hither
