// Arrays that are dense in memory in an axis order other than C order, mostly transposes.
#pragma once

#include <optional>
#include <span>

#include <hither/ops.h>

#include "array/graph/layout.h"

namespace hither::array {

/// The axes in memory order, outermost first. Nothing if the layout is in C order, or if it does
/// not cover a dense block of memory exactly once.
std::optional<Dims> memory_order(const Layout& layout);

/// The axis order in which an operation on these operands traverses memory instead of C order: the
/// common order of all operands of the result's size, if there is one. Smaller operands are
/// broadcast.
std::optional<Dims> common_order(std::span<const Operand> operands);

/// A view of x with its axes permuted to `order`.
Array in_order(const Array& x, const Dims& order);
/// The inverse permutation.
Array from_order(const Array& x, const Dims& order);

}  // namespace hither::array
