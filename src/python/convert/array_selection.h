// Translation of an index key to a view, and to index arrays or a mask that select from the view.
#pragma once

#include <optional>
#include <vector>

#include <hither/array.h>

#include "python/convert/array_object.h"

namespace hither::python {

struct Selection {
  Array view;                  ///< x after the integers, slices and new axes of the key
  std::vector<Array> indices;  ///< index the axes of `view` from first_axis on
  std::optional<Array> mask;   ///< or a mask over those axes
  int first_axis = 0;
  bool copied = false;  ///< a read copies: the key selects one element, or has a 0-d array

  bool is_view() const noexcept { return indices.empty() && !mask; }
};

/// Interprets a key as NumPy does: integers, slices, ..., None, boolean masks, integer arrays, and
/// lists of numbers as arrays. Host arrays, and arrays on other queues, are copied to x's queue,
/// because indices do not affect placement. Error kIndex names axis and size.
Selection select(const Array& x, PyObject* key);

/// x[index] for one integer.
Array pick(const Array& x, int64_t index);

}  // namespace hither::python
