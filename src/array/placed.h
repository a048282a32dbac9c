// Placement of functions of several arrays.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include <hither/array.h>

#include "array/graph/layout.h"
#include "runtime/placement.h"

namespace hither::array {

struct Placed {
  Queue queue;
  UsmType usm_type;
};

/// The queue that placement chooses for these arrays and the explicit queue, which may be null, and
/// the strongest USM type. Error kPlacement.
Placed place_arrays(std::string_view function, std::span<const Array* const> arrays,
                    const Queue* queue);
inline Placed place_arrays(std::string_view function, std::initializer_list<const Array*> arrays,
                           const Queue* queue) {
  return place_arrays(function, std::span(arrays.begin(), arrays.size()), queue);
}

/// An array as an argument of placement; `name` as in PlacedArgument.
runtime::PlacedArgument placed_argument(const Array& x, std::string_view name = {}) noexcept;

/// x if `queue` can use it, else a copy that it can use.
Array on_queue(const Array& x, const Queue& queue);

}  // namespace hither::array
