// What an index key means: a view, and index arrays or a mask that select from it.
#pragma once

#include <optional>
#include <vector>

#include <hither/array.h>

#include "python/convert/array_object.h"

namespace hither::python {

struct Selection {
  Array view;                  ///< x after the integers, slices and new axes of the key
  std::vector<Array> indices;  ///< stand for the axes of view from first_axis on
  std::optional<Array> mask;   ///< or this does
  int first_axis = 0;
  bool copied = false;  ///< read as a copy: the key picks one element, or has a 0-d array

  bool is_view() const noexcept { return indices.empty() && !mask; }
};

/// Reads a key as NumPy does: integers, slices, ..., None, boolean masks and integer arrays, lists
/// of numbers as arrays of them. Arrays of the host and on other queues are copied to x's queue:
/// they do not choose where to run. Error kIndex naming axis and size.
Selection select(const Array& x, PyObject* key);

/// x[index] for one integer.
Array pick(const Array& x, int64_t index);

}  // namespace hither::python
