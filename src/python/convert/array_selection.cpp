#include "python/convert/array_selection.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hither/error.h>
#include <hither/index.h>
#include <hither/manipulate.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/dtype_argument.h"

namespace hither::python {
namespace {

enum class Kind { kInteger, kSlice, kEllipsis, kNewAxis, kTruth, kIndexArray, kMask };

// One entry of a key.
struct Entry {
  Kind kind;
  PyObject* object;  ///< borrowed
  Array array;       ///< of an index array, a mask, or a truth value that is joined to others

  int consumed() const {  ///< number of axes of x that it indexes
    switch (kind) {
      case Kind::kInteger:
      case Kind::kSlice:
      case Kind::kIndexArray:
        return 1;
      case Kind::kMask:
        return array.ndim();
      default:
        return 0;
    }
  }
  // In a key with index arrays, NumPy treats integers as index arrays too.
  bool is_advanced() const { return kind == Kind::kInteger || is_array(); }
  bool is_array() const {
    return kind == Kind::kIndexArray || kind == Kind::kMask || (kind == Kind::kTruth && array);
  }
  // True, False, or a mask without dimensions.
  bool is_truth() const {
    return kind == Kind::kTruth || (kind == Kind::kMask && array.ndim() == 0);
  }
};

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::kIndex, "index", message);
}

Entry array_entry(PyObject* object, Array array) {
  if (array.dtype() == DType::kBool) return {Kind::kMask, object, std::move(array)};
  if (is_integer(array.dtype())) {
    return {array.ndim() == 0 ? Kind::kInteger : Kind::kIndexArray, object, std::move(array)};
  }
  refuse(fmt::format("an array of {} cannot be an index; bool and integer arrays can",
                     name_of(array.dtype())));
}

// Arrays of a key are copied to x's queue.
Array on_queue(Array index, const Queue& queue) {
  if (index.queue().equivalent(queue)) return index;
  return unlocked([&] { return to_queue(index, {queue, index.usm_type()}); });
}

// A list, a tuple or another sequence, such as a range.
bool holds_indices(PyObject* object) {
  return PySequence_Check(object) && !PyUnicode_Check(object) && !PyBytes_Check(object) &&
         !PyByteArray_Check(object);
}

Array indices_of(PyObject* object, const Queue& queue) {
  try {
    return import_any(object, {.queue = queue});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kType) throw;
    refuse(error.message());
  }
}

Entry sequence_entry(PyObject* object, const Queue& queue) {
  Array array = indices_of(object, queue);
  if (array.size() == 0) array = unlocked([&] { return astype(array, DType::kInt64); });
  return array_entry(object, std::move(array));
}

Entry entry_of(PyObject* object, const Queue& queue) {
  if (PyLong_CheckExact(object)) return {Kind::kInteger, object, {}};
  if (PySlice_Check(object)) return {Kind::kSlice, object, {}};
  if (object == Py_Ellipsis) return {Kind::kEllipsis, object, {}};
  if (object == Py_None) return {Kind::kNewAxis, object, {}};
  if (is_array(object)) return array_entry(object, on_queue(array_of(object), queue));
  if (PyBool_Check(object)) return {Kind::kTruth, object, {}};
  if (is_numpy_scalar(object) && scalar_of(object)->kind() == Scalar::Kind::kBool) {
    return {Kind::kTruth, object, {}};
  }
  if (!is_numpy_scalar(object) && is_foreign_usm_array(object))
    return array_entry(object, on_queue(import_usm_array(object), queue));
  if (is_numpy_array(object))
    return array_entry(object, import_host_array(object, {queue, UsmType::kDevice}));
  if (PyIndex_Check(object)) return {Kind::kInteger, object, {}};
  if (holds_indices(object)) return sequence_entry(object, queue);
  refuse(
      fmt::format("{} cannot index an array; integers, slices, ..., None, boolean masks and "
                  "integer arrays can",
                  a_type(object)));
}

std::vector<Entry> entries_of(PyObject* key, const Queue& queue) {
  std::vector<Entry> entries;
  if (!PyTuple_Check(key)) {
    entries.push_back(entry_of(key, queue));
    return entries;
  }
  const Py_ssize_t count = PyTuple_Size(key);
  entries.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i)
    entries.push_back(entry_of(PyTuple_GetItem(key, i), queue));
  return entries;
}

// A view under construction: x after the entries processed so far.
struct ViewBuilder {
  const Array& x;
  int axis = 0;  ///< next axis of x
  int64_t offset = 0;
  Dims shape, strides;

  void keep() {
    shape.push_back(x.shape()[axis]);
    strides.push_back(x.strides()[axis++]);
  }

  void new_axis(int64_t extent) {
    shape.push_back(extent);
    strides.push_back(0);
  }

  void pick(int64_t index) {
    const int64_t extent = x.shape()[axis];
    if (index < -extent || index >= extent) {
      refuse(
          fmt::format("index {} is out of bounds for axis {} with size {}", index, axis, extent));
    }
    offset += (index < 0 ? index + extent : index) * x.strides()[axis++];
  }

  void slice(PyObject* object) {
    Py_ssize_t start = 0;
    Py_ssize_t stop = 0;
    Py_ssize_t step = 0;
    if (PySlice_Unpack(object, &start, &stop, &step) < 0) throw nb::python_error();
    const Py_ssize_t count = PySlice_AdjustIndices(x.shape()[axis], &start, &stop, step);
    if (count > 0) offset += start * x.strides()[axis];
    shape.push_back(count);
    // With at most one element the step has no effect, and may be out of range.
    strides.push_back(count > 1 ? x.strides()[axis] * step : x.strides()[axis]);
    ++axis;
  }

  Array finish() {
    while (axis < x.ndim()) keep();
    if (shape.product() == 0) offset = 0;
    return strided_view(x, shape, strides, offset);
  }
};

int64_t integer_of(PyObject* object) {
  const Py_ssize_t value = PyNumber_AsSsize_t(object, PyExc_IndexError);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

// Number of axes of x that an ellipsis in the key covers.
int hidden_axes(const Array& x, const std::vector<Entry>& entries) {
  int consumed = 0;
  int ellipses = 0;
  int rank = x.ndim();
  for (const Entry& entry : entries) {
    consumed += entry.consumed();
    ellipses += entry.kind == Kind::kEllipsis;
    rank += (entry.kind == Kind::kNewAxis || entry.kind == Kind::kTruth) -
            (entry.kind == Kind::kInteger);
  }
  if (consumed > x.ndim()) {
    refuse(fmt::format("too many indices: the array has {} dimensions, {} were indexed", x.ndim(),
                       consumed));
  }
  if (ellipses > 1) refuse("only one ellipsis ('...') is allowed");
  if (rank > kMaxRank) {
    refuse(fmt::format("the result would have {} dimensions; {} are the most", rank, kMaxRank));
  }
  return x.ndim() - consumed;
}

// A 0-dimensional index array acts as an integer and a truth value as a new axis, but they read a
// copy, as other index arrays do.
bool has_copying_entries(const std::vector<Entry>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const Entry& e) {
    return e.kind == Kind::kTruth || (e.kind == Kind::kInteger && e.array);
  });
}

// The key is one integer for each axis. The read is a copy, because NumPy returns a scalar here,
// which later writes to x do not change.
bool is_element(const Array& x, const std::vector<Entry>& entries) {
  return entries.size() == static_cast<size_t>(x.ndim()) &&
         std::all_of(entries.begin(), entries.end(),
                     [](const Entry& e) { return e.kind == Kind::kInteger; });
}

bool has_arrays(const std::vector<Entry>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const Entry& e) { return e.is_array(); });
}

// In addition to other advanced indices, a truth value is for NumPy an index array of at most one
// element for an additional axis of extent 1: it broadcasts with the other ones.
void join_truths(std::vector<Entry>& entries, const Queue& queue) {
  const auto truth = [](const Entry& e) { return e.is_truth(); };
  if (std::none_of(entries.begin(), entries.end(), truth)) return;
  const auto count = std::count_if(entries.begin(), entries.end(),
                                   [&](const Entry& e) { return truth(e) || e.is_advanced(); });
  if (count == 1) return;
  for (Entry& entry : entries) {
    if (!truth(entry)) continue;
    if (entry.kind == Kind::kMask) {
      entry.array = unlocked([&] { return nonzero(reshape(entry.array, {1}))[0]; });
    } else {
      const int64_t extent = PyObject_IsTrue(entry.object) == 1 ? 1 : 0;
      entry.array = unlocked([&] { return full({extent}, 0, DType::kInt64, {queue}); });
    }
    entry.kind = Kind::kTruth;
  }
}

// Whether all index arrays and integers of the key are adjacent. If so, their axes stay in place;
// otherwise NumPy puts them first in the result.
bool is_adjacent(const std::vector<Entry>& entries) {
  const auto advanced = [](const Entry& e) { return e.is_advanced(); };
  const auto first = std::find_if(entries.begin(), entries.end(), advanced);
  const auto end = std::find_if(entries.rbegin(), entries.rend(), advanced).base();
  return std::all_of(first, end, advanced);
}

void check_mask(const Array& x, const Array& mask, int axis) {
  for (int i = 0; i < mask.ndim(); ++i) {
    if (mask.shape()[i] == 0 || mask.shape()[i] == x.shape()[axis + i]) continue;
    refuse(fmt::format(
        "the boolean mask has size {} along its axis {}, the array has size {} along axis {}",
        mask.shape()[i], i, x.shape()[axis + i], axis + i));
  }
}

// The index arrays or the mask of a key, and the axes of the view that they index.
struct Arrays {
  Dims axes;
  std::vector<Array> indices;
  std::optional<Array> mask;  ///< set if the only array is a mask
  int place = -1;             ///< axis of the view at the first advanced entry
};

void add_array(const Entry& entry, bool only_one, ViewBuilder& view, Arrays& arrays) {
  const Array& array = entry.array;
  if (entry.kind == Kind::kMask) check_mask(view.x, array, view.axis);
  for (int i = 0; i < entry.consumed(); ++i) {
    arrays.axes.push_back(view.shape.size());
    view.keep();
  }
  if (entry.kind == Kind::kTruth) {
    arrays.axes.push_back(view.shape.size());
    view.new_axis(1);
  }
  if (entry.kind != Kind::kMask) {
    arrays.indices.push_back(array);
  } else if (only_one) {
    arrays.mask = array;
  } else {
    for (Array& index : unlocked([&] { return nonzero(array); }))
      arrays.indices.push_back(std::move(index));
  }
}

Arrays build_view(const std::vector<Entry>& entries, int hidden, ViewBuilder& view) {
  const auto count =
      std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return e.is_array(); });
  Arrays arrays;
  for (const Entry& entry : entries) {
    if (entry.is_advanced() && arrays.place < 0) arrays.place = view.shape.size();
    switch (entry.kind) {
      case Kind::kInteger:
        view.pick(integer_of(entry.object));
        break;
      case Kind::kSlice:
        view.slice(entry.object);
        break;
      case Kind::kNewAxis:
        view.new_axis(1);
        break;
      case Kind::kTruth:
        if (entry.array)
          add_array(entry, count == 1, view, arrays);
        else
          view.new_axis(PyObject_IsTrue(entry.object) == 1 ? 1 : 0);
        break;
      case Kind::kEllipsis:
        for (int i = 0; i < hidden; ++i) view.keep();
        break;
      default:
        add_array(entry, count == 1, view, arrays);
    }
  }
  return arrays;
}

}  // namespace

Selection select(const Array& x, PyObject* key) {
  std::vector<Entry> entries = entries_of(key, x.queue());
  join_truths(entries, x.queue());
  const int hidden = hidden_axes(x, entries);
  ViewBuilder view{x};
  Arrays arrays = build_view(entries, hidden, view);
  Selection selection{.view = view.finish()};
  if (!has_arrays(entries)) {
    selection.copied = has_copying_entries(entries) || is_element(x, entries);
    return selection;
  }
  selection.indices = std::move(arrays.indices);
  selection.mask = std::move(arrays.mask);
  if (is_adjacent(entries)) {
    selection.first_axis = arrays.place;
    return selection;
  }
  Dims front(arrays.axes.size(), 0);
  for (int i = 0; i < front.size(); ++i) front[i] = i;
  selection.view = moveaxis(selection.view, arrays.axes, front);
  return selection;
}

Array pick(const Array& x, int64_t index) {
  ViewBuilder view{x};
  view.pick(index);
  return view.finish();
}

}  // namespace hither::python
