// Joining, rearranging and repeating arrays.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <hither/array.h>

namespace hither {

/// A view with permuted axes: axis d of the result is axes[d] of x (negative from the end). Error
/// kValue unless axes is a permutation.
HITHER_EXPORT Array permute_dims(const Array& x, const Dims& axes);
/// A view with axes moved: source[i] becomes axis destination[i]; the other axes keep their order.
HITHER_EXPORT Array moveaxis(const Array& x, const Dims& source, const Dims& destination);
/// x with another shape, in which one extent may be -1. The result is a view if the strides allow
/// it, else a copy. copy = true always copies; with copy = false a necessary copy is Error kValue.
HITHER_EXPORT Array reshape(const Array& x, const Dims& shape,
                            std::optional<bool> copy = std::nullopt);
/// A view without these axes. Error kValue unless their extents are 1.
HITHER_EXPORT Array squeeze(const Array& x, const Dims& axes);
/// A view with a new axis of extent 1, which is axis `axis` of the result.
HITHER_EXPORT Array expand_dims(const Array& x, int axis);
/// A view with reversed axes; without `axes` all are reversed.
HITHER_EXPORT Array flip(const Array& x, const std::optional<Dims>& axes = std::nullopt);

/// Joins arrays along an existing axis (without axis: flattened arrays); dtypes promote. Each
/// pending array is computed directly into the result. Submitted at once, except on GPUs, where the
/// kernel of a few columns is pending.
HITHER_EXPORT Array concat(std::span<const Array> arrays, std::optional<int> axis = 0,
                           const Queue* queue = nullptr);
/// Joins arrays of one shape along a new axis.
HITHER_EXPORT Array stack(std::span<const Array> arrays, int axis = 0,
                          const Queue* queue = nullptr);
/// Views of x at each index of an axis.
HITHER_EXPORT std::vector<Array> unstack(const Array& x, int axis = 0);
/// Shifts the elements cyclically by shifts[i] along axes[i]; without axes one shift applies to the
/// flattened array. Lazy.
HITHER_EXPORT Array roll(const Array& x, const Dims& shifts,
                         const std::optional<Dims>& axes = std::nullopt,
                         const Queue* queue = nullptr);
/// What is around an array: a constant, its last elements, itself again, or its mirror image, which
/// begins behind the last element (kReflect) or with it (kSymmetric).
enum class Border : uint8_t { kConstant, kEdge, kWrap, kReflect, kSymmetric };
/// x with widths[d].first elements before and widths[d].second behind those of axis d. Lazy. Error
/// kValue for negative widths, and for more elements than the border has: the axis's extent (kWrap,
/// kSymmetric), or one less (kReflect).
HITHER_EXPORT Array pad(const Array& x, std::span<const std::pair<int64_t, int64_t>> widths,
                        Border border, const Scalar& constant = Scalar(0),
                        const Queue* queue = nullptr);
/// Repeats each element `count` times along an axis (without axis: of the flattened array).
HITHER_EXPORT Array repeat(const Array& x, int64_t count, std::optional<int> axis = std::nullopt,
                           const Queue* queue = nullptr);
/// Repeats element i counts[i] times; counts is a 1-D integer array of the axis's extent. Waits for
/// counts.
HITHER_EXPORT Array repeat(const Array& x, const Array& counts,
                           std::optional<int> axis = std::nullopt, const Queue* queue = nullptr);
/// Repeats the whole array repeats[d] times along each axis d (the last axes if there are fewer
/// repeats).
HITHER_EXPORT Array tile(const Array& x, const Dims& repeats, const Queue* queue = nullptr);

/// An Error kIndex about an axis. Python raises it as hither.AxisError.
class HITHER_EXPORT AxisError : public Error {
 public:
  AxisError(std::string where, std::string message)
      : Error(ErrorKind::kIndex, std::move(where), std::move(message)) {}
};

/// The axis counted from the start; AxisError naming `where` when there is no such axis.
HITHER_EXPORT int normalize_axis(int64_t axis, int ndim, std::string_view where);
/// The same for a list; Error kValue for a repeated axis.
HITHER_EXPORT Dims normalize_axes(const Dims& axes, int ndim, std::string_view where);
/// The memory of a one-dimensional array in C order as elements of another dtype. Submits the work
/// that writes it. No other array may name the memory of `x`: writes through one array would not be
/// ordered with reads through the other. Error kValue where the bytes are no multiple of the new
/// element's, or `x` is a part of an array.
HITHER_EXPORT Array as_elements(const Array& x, DType dtype);

}  // namespace hither
