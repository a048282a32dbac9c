#include "python/convert/list_import.h"

#include <vector>

#include <fmt/format.h>
#include <hither/error.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"

namespace hither::python {

bool is_sequence(PyObject* object) {
  return PyList_Check(object) || PyTuple_Check(object) || PyRange_Check(object);
}

// Visits every item, so that later recursions over the items are known to terminate.
const Array* first_array(PyObject* object, int depth) {
  if (is_array(object)) return &array_of(object);
  if (!is_sequence(object) || PyRange_Check(object)) return nullptr;
  if (depth == kMaxRank)
    throw Error(ErrorKind::kValue, "asarray",
                fmt::format("the lists are nested deeper than the {} dimensions an array may have, "
                            "or one of them holds itself",
                            kMaxRank));
  const Array* found = nullptr;
  const bool list = PyList_Check(object);
  const Py_ssize_t count = PySequence_Size(object);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = list ? PyList_GetItem(object, i) : PyTuple_GetItem(object, i);
    const Array* const inside = first_array(item, depth + 1);
    if (!found) found = inside;
  }
  return found;
}

Array stack_items(nb::handle sequence, const Allocate& where) {
  std::vector<Array> items;
  for (nb::handle item : sequence) {
    items.push_back(import_any(item, {.queue = where.queue}));
    if (items.back().shape() != items.front().shape()) {
      throw Error(ErrorKind::kValue, "asarray",
                  fmt::format("the list is ragged: item {} has another shape than item 0",
                              items.size() - 1));
    }
  }
  DType dtype = items.front().dtype();
  for (const Array& item : items) dtype = promote(dtype, item.dtype());
  Dims shape = items.front().shape();
  if (shape.size() == kMaxRank) throw Error(ErrorKind::kValue, "asarray", "too many dimensions");
  const Dims item_shape = shape;
  shape.insert(0, static_cast<int64_t>(items.size()));
  ReleaseGil unlocked;
  Array result = empty(shape, dtype, where);
  Dims item_strides = result.strides();
  item_strides.erase(0);
  for (size_t i = 0; i < items.size() && result.size() > 0; ++i) {
    const int64_t offset = static_cast<int64_t>(i) * result.strides()[0];
    assign(strided_view(result, item_shape, item_strides, offset), items[i]);
  }
  return result;
}

}  // namespace hither::python
