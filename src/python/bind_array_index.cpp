// x[key] and x[key] = value.
#include <algorithm>

#include <fmt/format.h>
#include <hither/error.h>

#include "python/array_argument.h"
#include "python/array_import.h"
#include "python/dtype_argument.h"

namespace hither::python {
namespace {

// A view under construction: what is left of x after the entries of the key read so far.
struct ViewBuilder {
  const Array& x;
  int axis = 0;  ///< next axis of x
  int64_t offset = 0;
  Dims shape, strides;

  void keep() {
    shape.push_back(x.shape()[axis]);
    strides.push_back(x.strides()[axis++]);
  }

  void new_axis() {
    shape.push_back(1);
    strides.push_back(0);
  }

  void pick(int64_t index) {
    const int64_t extent = x.shape()[axis];
    if (index < -extent || index >= extent) {
      throw Error(
          ErrorKind::kIndex, "index",
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
    strides.push_back(x.strides()[axis++] * step);
  }
};

enum class Entry { kInteger, kSlice, kEllipsis, kNewAxis, kOther };

Entry entry_of(PyObject* entry) {
  if (PyLong_CheckExact(entry)) return Entry::kInteger;
  if (PySlice_Check(entry)) return Entry::kSlice;
  if (entry == Py_Ellipsis) return Entry::kEllipsis;
  if (entry == Py_None) return Entry::kNewAxis;
  if (is_array(entry)) {
    const Array& x = array_of(entry);
    return x.ndim() == 0 && is_integer(x.dtype()) ? Entry::kInteger : Entry::kOther;
  }
  if (PyBool_Check(entry) || is_numpy_array(entry)) return Entry::kOther;
  return PyIndex_Check(entry) ? Entry::kInteger : Entry::kOther;
}

int64_t integer_of(PyObject* entry) {
  const Py_ssize_t value = PyNumber_AsSsize_t(entry, PyExc_IndexError);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

// The key as a list of borrowed entries: a tuple's, or the one that it is.
class Key {
 public:
  explicit Key(PyObject* key) : tuple_(PyTuple_Check(key) ? key : nullptr), single_(key) {}
  Py_ssize_t size() const { return tuple_ ? PyTuple_Size(tuple_) : 1; }
  PyObject* operator[](Py_ssize_t i) const { return tuple_ ? PyTuple_GetItem(tuple_, i) : single_; }

 private:
  PyObject* tuple_;
  PyObject* single_;
};

[[noreturn]] void refuse_entry(PyObject* entry) {
  throw Error(
      ErrorKind::kIndex, "index",
      fmt::format(
          "{} cannot index an array; integers, slices, ..., None, boolean masks and integer "
          "arrays can",
          type_name(entry)));
}

// Integers, slices, ellipsis and None only.
bool is_basic(const Key& key) {
  for (Py_ssize_t i = 0; i < key.size(); ++i) {
    if (entry_of(key[i]) == Entry::kOther) return false;
  }
  return true;
}

Array basic_view(const Array& x, const Key& key) {
  int consumed = 0;
  int ellipses = 0;
  Py_ssize_t rank = x.ndim();
  for (Py_ssize_t i = 0; i < key.size(); ++i) {
    const Entry entry = entry_of(key[i]);
    consumed += entry == Entry::kInteger || entry == Entry::kSlice;
    ellipses += entry == Entry::kEllipsis;
    rank += (entry == Entry::kNewAxis) - (entry == Entry::kInteger);
  }
  if (consumed > x.ndim()) {
    throw Error(ErrorKind::kIndex, "index",
                fmt::format("too many indices: the array has {} dimensions, {} were indexed",
                            x.ndim(), consumed));
  }
  if (rank > kMaxRank) {
    throw Error(
        ErrorKind::kIndex, "index",
        fmt::format("the result would have {} dimensions; {} are the most", rank, kMaxRank));
  }
  if (ellipses > 1) throw Error(ErrorKind::kIndex, "index", "can have one ellipsis ('...') only");
  ViewBuilder view{x};
  for (Py_ssize_t i = 0; i < key.size(); ++i) {
    PyObject* entry = key[i];
    switch (entry_of(entry)) {
      case Entry::kInteger:
        view.pick(integer_of(entry));
        break;
      case Entry::kSlice:
        view.slice(entry);
        break;
      case Entry::kNewAxis:
        view.new_axis();
        break;
      case Entry::kEllipsis:
        for (int left = x.ndim() - consumed; left > 0; --left) view.keep();
        break;
      case Entry::kOther:
        refuse_entry(entry);
    }
  }
  while (view.axis < x.ndim()) view.keep();
  if (view.shape.product() == 0) view.offset = 0;
  return strided_view(x, view.shape, view.strides, view.offset);
}

Array read(const Array& x, PyObject* object) {
  const Key key(object);
  if (is_basic(key)) return basic_view(x, key);
  for (Py_ssize_t i = 0; i < key.size(); ++i) {
    if (entry_of(key[i]) == Entry::kOther) refuse_entry(key[i]);
  }
  return x;
}

void assign_unlocked(const Array& target, const Operand& value) {
  ReleaseGil unlocked(target.size());
  assign(target, value);
}

void write(const Array& x, PyObject* object, PyObject* value) {
  const Array target = read(x, object);
  if (const auto operand = operand_of(value, x.dtype())) {
    assign_unlocked(target, *operand);
  } else if (is_foreign_usm_array(value)) {
    assign_unlocked(target, import_usm_array(value));
  } else if (is_host_array(value)) {
    throw Error(ErrorKind::kPlacement, "assignment",
                fmt::format("the value is a {} in host memory and the array is on {}; wrap it with "
                            "hither.asarray(..., queue=x.queue)",
                            type_name(value), x.queue().device().filter_string()));
  } else {
    assign_unlocked(target, import_any(value, {.dtype = x.dtype(), .queue = x.queue()}));
  }
}

PyObject* subscript(PyObject* self, PyObject* key) {
  return guarded([&] { return wrap(read(array_of(self), key)); });
}

int assign_subscript(PyObject* self, PyObject* key, PyObject* value) {
  return guarded_status([&] {
    if (!value) throw Error(ErrorKind::kType, "del", "elements of an array cannot be deleted");
    write(array_of(self), key, value);
    return 0;
  });
}

Py_ssize_t length(PyObject* self) {
  const Array& x = array_of(self);
  if (x.ndim() > 0) return x.shape()[0];
  PyErr_SetString(PyExc_TypeError, "len() of a 0-dimensional array");
  return -1;
}

PyObject* item_at(PyObject* self, Py_ssize_t index) {
  return guarded([&] {
    const Array& x = array_of(self);
    if (x.ndim() == 0)
      throw Error(ErrorKind::kIndex, "index", "a 0-dimensional array has no items");
    ViewBuilder view{x};
    view.pick(index);
    while (view.axis < x.ndim()) view.keep();
    if (view.shape.product() == 0) view.offset = 0;
    return wrap(strided_view(x, view.shape, view.strides, view.offset));
  });
}

PyObject* iterate(PyObject* self) {
  if (array_of(self).ndim() > 0) return PySeqIter_New(self);
  PyErr_SetString(PyExc_TypeError, "iteration over a 0-dimensional array");
  return nullptr;
}

}  // namespace

const PyType_Slot array_index_slots[] = {
    {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
    {Py_mp_ass_subscript, reinterpret_cast<void*>(assign_subscript)},
    {Py_mp_length, reinterpret_cast<void*>(length)},
    {Py_sq_length, reinterpret_cast<void*>(length)},
    {Py_sq_item, reinterpret_cast<void*>(item_at)},
    {Py_tp_iter, reinterpret_cast<void*>(iterate)},
    {0, nullptr},
};

}  // namespace hither::python
