// Reading and writing through integer arrays and boolean masks.
#pragma once

#include <span>
#include <vector>

#include <hither/array.h>

namespace hither {

/// A copy of the one element of `x`, without dimensions, which later writes to x leave as it is.
/// The copy is made at once where x is evaluated: a pending one would make the next write to x keep
/// all of x's memory.
HITHER_EXPORT Array element(const Array& x);

/// x[:, ..., i0, i1, ..., :]: integer arrays that broadcast together stand for the adjacent axes
/// first_axis, first_axis + 1, ... of x. Shape: x's axes before, the broadcast shape, x's axes
/// after. Negative indices count from the end. For axes that are not adjacent permute x first. The
/// indices are evaluated and checked before this returns, the read itself is lazy. Errors: kIndex
/// naming the axis, its extent and the first index outside; kType unless the indices are integers;
/// kPlacement.
HITHER_EXPORT Array gather(const Array& x, std::span<const Array> indices, int first_axis = 0,
                           const Queue* queue = nullptr);

/// Elements of x along `axis` at `indices`, whose shape takes the axis's place.
HITHER_EXPORT Array take(const Array& x, const Array& indices, int axis,
                         const Queue* queue = nullptr);
/// Elements of x along `axis` at `indices`, element by element: indices have x's shape but for the
/// axis (1 broadcasts).
HITHER_EXPORT Array take_along_axis(const Array& x, const Array& indices, int axis,
                                    const Queue* queue = nullptr);

/// x[:, ..., i0, i1, ...] = value, broadcast and cast to the shape that gather() would give.
/// Submitted at once. Where indices repeat, the last value in C order is the one that stays.
/// Errors: gather()'s, before anything is written, and assign()'s.
HITHER_EXPORT void scatter(const Array& x, std::span<const Array> indices, int first_axis,
                           const Operand& value);

/// x[:, ..., mask, :]: the elements where a boolean array, which stands for mask.ndim() axes of x
/// from first_axis on, is true, in C order along one axis. Waits for the mask, since it decides the
/// shape. Errors: kIndex when the mask's shape is not x's there; kType unless the mask is bool.
HITHER_EXPORT Array mask_select(const Array& x, const Array& mask, int first_axis = 0,
                                const Queue* queue = nullptr);

/// x[:, ..., mask, :] = value, broadcast and cast to the shape that mask_select() would give. Lazy
/// when value is a scalar or does not reach the masked axis.
HITHER_EXPORT void mask_assign(const Array& x, const Array& mask, const Operand& value,
                               int first_axis = 0);

enum class SearchSide : uint8_t { kLeft, kRight };
/// Where each element of `values` belongs in `sorted`, which is 1-D and ascending (NaN last): the
/// number of its elements that come before (kRight: before or with) it, int64. Lazy. Errors: kValue
/// unless sorted is 1-D; kType for complex.
HITHER_EXPORT Array searchsorted(const Array& sorted, const Array& values,
                                 SearchSide side = SearchSide::kLeft, const Queue* queue = nullptr);

/// One int64 array per axis with the indices of the elements that are not zero, in C order; waits.
HITHER_EXPORT std::vector<Array> nonzero(const Array& x, const Queue* queue = nullptr);

}  // namespace hither
