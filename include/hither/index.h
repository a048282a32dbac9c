// Indexing with integer arrays and boolean masks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <hither/array.h>
#include <hither/reduce.h>

namespace hither {

/// A 0-d copy of the first element of `x`, which has one; later writes to x do not change it. The
/// copy is made at once if x is evaluated, because with a pending copy the next write to x would
/// keep all of x's memory.
HITHER_EXPORT Array element(const Array& x);
/// element() of x[index...]. `index` has x.ndim() entries; negative ones count from the end. Error
/// kIndex if one is out of bounds.
HITHER_EXPORT Array element(const Array& x, std::span<const int64_t> index);
/// x[index...] = value at once, if the host reaches the evaluated memory and nothing else reads or
/// writes it. Else returns false, and stores nothing: assign() to a view of the element stores the
/// number, or raises the error. Errors: kIndex as element(); those of the number's conversion.
HITHER_EXPORT bool store_element(const Array& x, std::span<const int64_t> index,
                                 const Scalar& value);

/// x[:, ..., i0, i1, ..., :]: integer arrays that broadcast together index the adjacent axes
/// first_axis, first_axis + 1, ... of x. Shape: x's axes before, the broadcast shape, x's axes
/// after. Negative indices count from the end. If the axes are not adjacent, permute x first. The
/// indices are evaluated and checked before this returns; the read itself is lazy, except on GPUs.
/// Errors: kIndex, which names the axis, its extent and the first invalid index; kType unless the
/// indices are integers; kPlacement.
HITHER_EXPORT Array gather(const Array& x, std::span<const Array> indices, int first_axis = 0,
                           const Queue* queue = nullptr);

/// Elements of x along `axis` at `indices`. The shape of `indices` replaces the axis.
HITHER_EXPORT Array take(const Array& x, const Array& indices, int axis,
                         const Queue* queue = nullptr);
/// take() of indices that are at least 0 and less than the axis's extent, which is not checked.
/// Lazy.
HITHER_EXPORT Array take_in_range(const Array& x, const Array& indices, int axis);
/// Elements of x along `axis` at `indices`, element by element: `indices` has x's shape except
/// along the axis (extent 1 broadcasts).
HITHER_EXPORT Array take_along_axis(const Array& x, const Array& indices, int axis,
                                    const Queue* queue = nullptr);

/// x[:, ..., i0, i1, ...] = value, broadcast and cast to the shape that gather() would give.
/// Submitted at once. If indices repeat, the last value in C order is stored. With `combine` (kSum,
/// kProd, kMin, kMax; kAny and kAll of bool) an element becomes its old value combined with each of
/// its values, one after another in C order, so that the result does not depend on timing; on GPUs
/// repeated indices are then processed by few threads. Errors: those of gather(), before anything
/// is written, and those of assign().
HITHER_EXPORT void scatter(const Array& x, std::span<const Array> indices, int first_axis,
                           const Operand& value, std::optional<Reduction> combine = std::nullopt);

/// x[indices] = value along axis 0, for different indices that are at least 0 and less than the
/// axis's extent, which is not checked. Submitted at once.
HITHER_EXPORT void put_in_range(const Array& x, const Array& indices, const Operand& value);

/// x[r, indices[r, i]] is combined with value[r, i], for all i in order; rows run in parallel. The
/// indices are not checked. Errors: kValue for shapes, kPlacement, and those of assign().
HITHER_EXPORT void scatter_rows(const Array& x, const Array& indices, const Operand& value,
                                Reduction combine);

/// x[:, ..., mask, :]: the elements at which the mask is true, in C order along one axis. The mask
/// covers mask.ndim() axes of x, starting at first_axis. Waits for the mask, because it determines
/// the shape. Errors: kIndex when the mask's shape differs from these axes; kType unless the mask
/// is bool.
HITHER_EXPORT Array mask_select(const Array& x, const Array& mask, int first_axis = 0,
                                const Queue* queue = nullptr);

/// x[:, ..., mask, :] = value, broadcast and cast to the shape that mask_select() would give. Lazy
/// if value is a scalar or has no extent along the masked axis. `combine` as in scatter().
HITHER_EXPORT void mask_assign(const Array& x, const Array& mask, const Operand& value,
                               int first_axis = 0, std::optional<Reduction> combine = std::nullopt);

/// For each x of `of`, the first element of each run of it, or its index if x is null. Runs begin
/// at the first element and where `differs`, a mask of the elements after it, is true. All are 1-D
/// and on one queue. Waits for the mask, because it determines the shapes. Errors: kValue unless
/// differs has an element, and each x has one more.
HITHER_EXPORT std::vector<Array> first_of_runs(const Array& differs,
                                               std::span<const Array* const> of);

/// Whether each of the integers low, low + 1, ..., low + count - 1 occurs in x, as a vector. All
/// elements of x are among these integers, which is not checked. Lazy. Errors: kType unless x has
/// an integer dtype.
HITHER_EXPORT Array occurrences(const Array& x, int64_t low, int64_t count);

enum class SearchSide : uint8_t { kLeft, kRight };
/// For each element of `values` the number of elements of `sorted` that are less than it (kRight:
/// less or equal), as int64. `sorted` is 1-D and in the order of sort(). Lazy. Errors: kValue
/// unless sorted is 1-D.
HITHER_EXPORT Array searchsorted(const Array& sorted, const Array& values,
                                 SearchSide side = SearchSide::kLeft, const Queue* queue = nullptr);

/// searchsorted() of real numbers if `sorted` ascends and its device is a GPU, which checks the
/// order while it searches. Nothing if the order has to be checked by other means. Waits for the
/// check.
HITHER_EXPORT std::optional<Array> search_if_ascending(const Array& sorted, const Array& values,
                                                       SearchSide side);

/// Values at x of the piecewise linear function through the points (xp, fp), as float64: those of
/// NumPy's interp(). xp and fp are vectors of the same length, which is not 0, and xp increases.
/// Neither is checked. Lazy.
HITHER_EXPORT Array interpolate(const Array& x, const Array& xp, const Array& fp);

/// One int64 array per axis with the indices of the nonzero elements, in C order; waits.
HITHER_EXPORT std::vector<Array> nonzero(const Array& x, const Queue* queue = nullptr);

}  // namespace hither
