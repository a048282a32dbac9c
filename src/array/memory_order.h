// Arrays whose memory is dense in another order of axes than C's: transposes, mostly.
#pragma once

#include <optional>
#include <span>

#include <hither/ops.h>

#include "array/graph/layout.h"

namespace hither::array {

/// The axes as memory walks them, outermost first; nothing unless the layout covers a dense run of
/// memory once, in an order that is not C's.
std::optional<Dims> memory_order(const Layout& layout);

/// The order in which an operation on these operands goes over memory instead of C order: that of
/// every operand of the result's size, when they have one in common. Smaller ones are broadcast.
std::optional<Dims> common_order(std::span<const Operand> operands);

/// A view of x with its axes in that order.
Array in_order(const Array& x, const Dims& order);
/// The inverse.
Array from_order(const Array& x, const Dims& order);

}  // namespace hither::array
