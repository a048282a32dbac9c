// Views: the same elements in another shape. All share storage with x, are writable, and cost no kernel.
#pragma once

#include <optional>

#include <hither/array.h>

namespace hither {

/// x with its axes in another order: `axes` is a permutation of [0, ndim), negative ones count from the end.
/// Errors: kIndex, kValue.
HITHER_EXPORT Array permute_dims(const Array& x, const Dims& axes);
/// x with axes of extent 1 at these places of the result. Errors: kIndex; kValue when one is named twice.
HITHER_EXPORT Array expand_dims(const Array& x, const Dims& axes);
/// x without these axes. Errors: kIndex; kValue when the extent of one is not 1.
HITHER_EXPORT Array squeeze(const Array& x, const Dims& axes);
/// The same elements in C order in another shape; one extent may be -1, which is inferred. A view where strides
/// allow it, else a copy. copy=true always copies, copy=false raises kValue where it would have to.
HITHER_EXPORT Array reshape(const Array& x, const Dims& shape, std::optional<bool> copy = {});

}  // namespace hither
