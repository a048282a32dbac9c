// x[key], x[key] = value, and the functions that read through index arrays.
#include <fmt/format.h>
#include <hither/error.h>
#include <hither/index.h>
#include <hither/linalg.h>
#include <hither/ops.h>
#include <hither/reduce.h>
#include <hither/segments.h>
#include <hither/sparse.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/bind/array_slots.h"
#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/array_selection.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/host_operand.h"

namespace hither::python {
namespace {

Array element_of(const Array& view) {
  ReleaseGil unlocked(view.size());
  return view.ndim() == 0 ? element(view) : copy(view);
}

Array read(const Array& x, PyObject* key) {
  Selection selection = select(x, key);
  if (selection.is_view())
    return selection.copied ? element_of(selection.view) : std::move(selection.view);
  ReleaseGil unlocked(selection.view.size());
  if (selection.mask) return mask_select(selection.view, *selection.mask, selection.first_axis);
  return gather(selection.view, selection.indices, selection.first_axis);
}

using Combination = std::optional<Reduction>;

// Returns false, and stores nothing, if old and new elements are to be combined and the key selects
// a view, whose elements differ.
bool store(const Selection& selection, const Operand& value, Combination combine) {
  ReleaseGil unlocked(selection.view.size());
  if (selection.mask)
    mask_assign(selection.view, *selection.mask, value, selection.first_axis, combine);
  else if (!selection.is_view())
    scatter(selection.view, selection.indices, selection.first_axis, value, combine);
  else if (!combine)
    assign(selection.view, value);
  else
    return false;
  return true;
}

bool write(const Array& x, PyObject* key, PyObject* value, Combination combine = std::nullopt) {
  const Selection selection = select(x, key);
  if (const auto operand = operand_of(value, x.dtype())) {
    const Unstored unread(temporary_array(value));
    return store(selection, *operand, combine);
  }
  if (is_foreign_usm_array(value)) return store(selection, import_usm_array(value), combine);
  if (is_host_array(value))  // copied to the target's queue
    return store(selection, import_host_array(value, {x.queue(), UsmType::kDevice}), combine);
  return store(selection, import_any(value, {.dtype = x.dtype(), .queue = x.queue()}), combine);
}

void assign_unread(const Array& target, const Array& value) {
  const Unstored unread(&value);
  ReleaseGil unlocked(target.size());
  assign(target, value);
}

Reduction combination_of(std::string_view name) {
  for (Reduction r : {Reduction::kSum, Reduction::kProd, Reduction::kMin, Reduction::kMax,
                      Reduction::kAny, Reduction::kAll})
    if (name_of(r) == name) return r;
  throw Error(ErrorKind::kValue, "combine",
              fmt::format("\"{}\" is not sum, prod, min, max, any or all", name));
}

// The integers of a key that has one for each axis, and nothing else.
std::optional<Dims> integers_of(const Array& x, PyObject* key) {
  Dims index(x.ndim(), 0);
  const bool is_tuple = PyTuple_CheckExact(key);
  if (x.ndim() != (is_tuple ? PyTuple_Size(key) : 1)) return std::nullopt;
  for (int d = 0; d < index.size(); ++d) {
    PyObject* const entry = is_tuple ? PyTuple_GetItem(key, d) : key;
    if (!PyLong_CheckExact(entry)) return std::nullopt;
    index[d] = PyLong_AsLongLong(entry);
    if (index[d] == -1 && PyErr_Occurred()) {  // the general form raises the error
      PyErr_Clear();
      return std::nullopt;
    }
  }
  return index;
}

PyObject* subscript(PyObject* self, PyObject* key) {
  return guarded([&] {
    const Array& x = array_of(self);
    const auto index = integers_of(x, key);
    return wrap(index ? unlocked([&] { return element(x, *index); }) : read(x, key));
  });
}

// self[key] = value as self._put(key, value, whether the value is a temporary object). Only a
// function in C sees the references of its caller.
PyObject* put_items(PyObject* self, PyObject* const* given, Py_ssize_t count) {
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "__setitem__ takes a key and a value");
    return nullptr;
  }
  PyObject* const told = is_temporary(given[1]) ? Py_True : Py_False;
  return PyObject_CallMethod(self, "_put", "OOO", given[0], given[1], told);
}

// Gives a class that has _put() a method __setitem__.
void puts_items(nb::type_object type) {
  static PyMethodDef method = {
      "__setitem__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(put_items)),
      METH_FASTCALL, nullptr};
  auto* const object = reinterpret_cast<PyTypeObject*>(type.ptr());
  const auto made = nb::steal(PyDescr_NewMethod(object, &method));
  if (!made.is_valid()) nb::raise_python_error();
  nb::setattr(type, "__setitem__", made);
}

int assign_subscript(PyObject* self, PyObject* key, PyObject* value) {
  return guarded_status([&] {
    if (!value) throw Error(ErrorKind::kType, "del", "elements of an array cannot be deleted");
    const Array& x = array_of(self);
    if (const auto index = PyFloat_CheckExact(value) || PyLong_CheckExact(value)
                               ? integers_of(x, key)
                               : std::nullopt) {
      const auto number = scalar_of(value, x.dtype());
      if (unlocked([&] { return store_element(x, *index, *number); })) return 0;
    }
    write(x, key, value);
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
    if (x.ndim() > 1) return wrap(pick(x, index));
    return wrap(unlocked([&] { return element(x, Dims{index}); }));
  });
}

PyObject* iterate(PyObject* self) {
  if (array_of(self).ndim() > 0) return PySeqIter_New(self);
  PyErr_SetString(PyExc_TypeError, "iteration over a 0-dimensional array");
  return nullptr;
}

int contains(PyObject* self, PyObject* value) {
  return guarded_status([&] {
    const Array& x = array_of(self);
    const auto operand = operand_of(value, x.dtype());
    if (!operand) return 0;
    uint8_t element[16];
    ReleaseGil unlocked(x.size());
    const Array found = any(equal(x, *operand));
    found.item(element);
    return element[0] != 0 ? 1 : 0;
  });
}

int only_axis(const Array& x, std::optional<int> axis, const char* where) {
  if (axis) return *axis;
  if (x.ndim() == 1) return 0;
  throw Error(ErrorKind::kValue, where,
              fmt::format("axis is needed for an array of {} dimensions", x.ndim()));
}

Array take_elements(const Array& x, nb::handle indices, std::optional<int> axis, nb::handle queue) {
  const auto wanted = explicit_queue(queue);
  const Array index = import_any(indices, {.queue = x.queue()});
  const int along = only_axis(x, axis, "take");
  ReleaseGil unlocked(index.size());
  return take(x, index, along, wanted ? &*wanted : nullptr);
}

// The elements of x at the indices `sorter`.
Array in_order(const Array& x, const Array& sorter) {
  try {
    return take(x, sorter, 0);
  } catch (const Error& error) {
    throw Error(error.kind(), "searchsorted", "sorter: " + error.message(), error.native_code());
  }
}

Array sorted_places(nb::handle x1, nb::handle x2, std::string_view side, nb::handle sorter,
                    nb::handle queue) {
  constexpr std::string_view names[] = {"x1", "x2"};
  if (side != "left" && side != "right")
    throw Error(ErrorKind::kValue, "searchsorted",
                fmt::format("side is \"{}\"; it is \"left\" or \"right\"", side));
  const auto wanted = explicit_queue(queue);
  PyObject* const arguments[] = {x1.ptr(), x2.ptr()};
  const PlacedCall placed("searchsorted", arguments, names, wanted ? &*wanted : nullptr);
  if (!placed.operands()[0].is_array())
    throw Error(ErrorKind::kType, "searchsorted", "x1 is a number; it must be an array");
  const Array& given = placed.operands()[0].array();
  const auto order =
      sorter.is_none() ? std::nullopt : std::optional(import_any(sorter, {.queue = given.queue()}));
  if (order && (order->ndim() != 1 || given.ndim() != 1 || order->size() != given.size()))
    throw Error(ErrorKind::kValue, "searchsorted",
                fmt::format("sorter has {} indices in {} dimensions; it needs one dimension and an "
                            "index for each of x1's {} elements",
                            order->size(), order->ndim(), given.size()));
  ReleaseGil unlocked;
  const Array sorted = order ? in_order(given, *order) : given;
  const Operand& values = placed.operands()[1];
  const Allocate like{.queue = given.queue(), .usm_type = given.usm_type()};
  return searchsorted(
      sorted,
      values.is_array() ? values.array() : full({}, values.scalar(), values.scalar().dtype(), like),
      side == "left" ? SearchSide::kLeft : SearchSide::kRight, placed.queue());
}

// Reads and writes whose indices are not checked, and searches. hither.numpy is made of them.
void bind_unchecked(nb::module_& m) {
  m.def(
      "take_in_range",
      [](const Array& x, const Array& indices, int axis) {
        ReleaseGil unlocked(indices.size());
        return take_in_range(x, indices, axis);
      },
      nb::arg("x"), nb::arg("indices"), nb::arg("axis") = 0,
      "take() of indices that are at least 0 and less than the axis's extent, which is not\n"
      "checked. Lazy.");
  m.def(
      "first_of_runs",
      [](const Array& differs, const std::vector<std::optional<Array>>& of) {
        ReleaseGil unlocked(differs.size());
        std::vector<const Array*> given;
        for (const auto& x : of) given.push_back(x ? &*x : nullptr);
        return first_of_runs(differs, given);
      },
      nb::arg("differs"), nb::arg("of"),
      "For each x of `of`, the first element of each run of it, or its index if x is None. Runs\n"
      "begin at the first element and where `differs`, a mask of the others, is true. Waits.");
  m.def(
      "occurrences",
      [](const Array& x, int64_t low, int64_t count) {
        ReleaseGil unlocked(x.size());
        return occurrences(x, low, count);
      },
      nb::arg("x"), nb::arg("low"), nb::arg("count"),
      "Whether each of the integers low, ..., low + count - 1 occurs in x, as a vector. All\n"
      "elements of x are among these integers, which is not checked. Lazy.");
  m.def(
      "search_if_ascending",
      [](const Array& sorted, const Array& values, bool right) {
        ReleaseGil unlocked(values.size());
        return search_if_ascending(sorted, values, right ? SearchSide::kRight : SearchSide::kLeft);
      },
      nb::arg("sorted"), nb::arg("values"), nb::arg("right"),
      "searchsorted() if `sorted` ascends and a GPU can check that while it searches; else None.");
  m.def(
      "interpolate",
      [](const Array& x, const Array& xp, const Array& fp) {
        ReleaseGil unlocked(x.size());
        return interpolate(x, xp, fp);
      },
      nb::arg("x"), nb::arg("xp"), nb::arg("fp"),
      "Values at x of the piecewise linear function through the points (xp, fp). Lazy.");
  m.def(
      "put_in_range",
      [](const Array& x, const Array& indices, const Array& value) {
        ReleaseGil unlocked(indices.size());
        put_in_range(x, indices, value);
      },
      nb::arg("x"), nb::arg("indices"), nb::arg("value"),
      "x[indices] = value along axis 0, for different indices that are at least 0 and less than\n"
      "the axis's extent, which is not checked.");
}

// Writes that combine old and new elements, and reductions of segments. hither.numpy is made of
// them.
void bind_combinations(nb::module_& m) {
  m.def("assign_unread", assign_unread, nb::arg("target"), nb::arg("value"),
        "target[...] = value, of a value that will probably not be read: a pending one is not\n"
        "stored, and is computed again if it is read after all.");
  m.def("puts_items", puts_items, nb::arg("type"),
        "Gives a class the method __setitem__, which calls self._put(key, value, temporary): the\n"
        "last one tells whether probably nothing else refers to the value.");
  m.def(
      "scatter_combined",
      [](const Array& x, nb::handle key, nb::handle value, std::string_view reduction) {
        return write(x, key.ptr(), value.ptr(), combination_of(reduction));
      },
      nb::arg("x"), nb::arg("key").none(), nb::arg("value"), nb::arg("reduction"),
      "x[key] combined with value, once for each index, in place and in order. Returns False, and\n"
      "does nothing, if the key has neither index arrays nor a mask.");
  m.def(
      "scatter_rows",
      [](const Array& x, const Array& indices, nb::handle value, std::string_view reduction) {
        const Reduction combine = combination_of(reduction);
        const auto operand = operand_of(value.ptr(), x.dtype());
        if (!operand) throw Error(ErrorKind::kType, "scatter_rows", "value is no array or number");
        ReleaseGil unlocked(indices.size());
        scatter_rows(x, indices, *operand, combine);
      },
      nb::arg("x"), nb::arg("indices"), nb::arg("value"), nb::arg("reduction"),
      "x[r, indices[r, i]] combined with value[r, i], in place and in order of i. Indices are not\n"
      "checked.");
  m.def(
      "segment_reduce",
      [](const Array& x, const Array& begins, const Array& ends, std::string_view reduction,
         nb::handle dtype) {
        const Reduction r = combination_of(reduction);
        const std::optional<DType> wanted =
            dtype.is_none() ? std::nullopt : std::optional(dtype_argument(dtype));
        ReleaseGil unlocked(x.size());
        return segment_reduce(r, x, begins, ends, wanted);
      },
      nb::arg("x"), nb::arg("begins"), nb::arg("ends"), nb::arg("reduction"),
      nb::arg("dtype").none() = nb::none(),
      "Reductions of x[begins[s]:ends[s]] for each s. Indices are not checked. Lazy.");
}

void bind_sparse_products(nb::module_& m) {
  m.def(
      "sparse_product",
      [](const Array& data, const Array& indices, const Array& begins, const Array& ends,
         const Array& x, nb::handle dtype) {
        const DType wanted = dtype_argument(dtype);
        ReleaseGil unlocked(data.size());
        return sparse_product(data, indices, begins, ends, x, wanted);
      },
      nb::arg("data"), nb::arg("indices"), nb::arg("begins"), nb::arg("ends"), nb::arg("x"),
      nb::arg("dtype"),
      "For each r, the sum of data[k] * x[indices[k]] over k in range(begins[r], ends[r]).\n"
      "Indices are not checked. Lazy.");
  m.def(
      "library_sparse_product",
      [](const Array& data, const Array& indices, const Array& pointers, const Array& x,
         nb::handle dtype) {
        const DType wanted = dtype_argument(dtype);
        ReleaseGil unlocked(data.size());
        return library_sparse_product(data, indices, pointers, x, wanted);
      },
      nb::arg("data"), nb::arg("indices"), nb::arg("pointers"), nb::arg("x"), nb::arg("dtype"),
      "The sums of data[k] * x[indices[k]] over k in range(pointers[r], pointers[r + 1]) by the\n"
      "library of the device, or None if it has none that is faster. Indices are not checked.\n"
      "Lazy.");
}

void bind_sparse_rows(nb::module_& m) {
  m.def(
      "library_sparse_matrices",
      [](const std::tuple<Array, Array, Array>& a, const std::tuple<Array, Array, Array>& b,
         int64_t inner, int64_t columns) -> std::optional<std::tuple<Array, Array, Array>> {
        const auto rows = [](const auto& parts, int64_t width) {
          return std::make_from_tuple<SparseRows>(std::tuple_cat(parts, std::tuple(width)));
        };
        ReleaseGil unlocked(std::get<0>(a).size());
        const auto c = library_sparse_matrices(rows(a, inner), rows(b, columns));
        if (!c) return std::nullopt;
        return std::tuple(c->data, c->indices, c->pointers);
      },
      nb::arg("a"), nb::arg("b"), nb::arg("inner"), nb::arg("columns"),
      "The product of two sparse matrices, each (data, indices, pointers), by the library of the\n"
      "device, or None if it has none. Indices are int32 and not checked. It waits.");
  m.def(
      "sparse_sums",
      [](const Array& a, const Array& b, const std::vector<Array>& structure, int64_t size,
         nb::handle dtype) {
        const DType wanted = dtype_argument(dtype);
        std::vector<const Array*> given;
        for (const Array& x : structure) given.push_back(&x);
        ReleaseGil unlocked(size);
        return sparse_sums(a, b, given, size, wanted);
      },
      nb::arg("a"), nb::arg("b"), nb::arg("structure"), nb::arg("size"), nb::arg("dtype"),
      "The elements of a product of two sparse matrices, whose structure is not checked. Lazy.");
  m.def(
      "row_function",
      [](std::string_view function, const std::vector<Array>& operands,
         const std::vector<int64_t>& integers, int64_t items, int64_t size) {
        std::vector<const Array*> given;
        for (const Array& x : operands) given.push_back(&x);
        ReleaseGil unlocked(size);
        return row_function(function, given, integers, items, size);
      },
      nb::arg("function"), nb::arg("operands"), nb::arg("integers"), nb::arg("items"),
      nb::arg("size"),
      "Indices that a function of the device library computes from vectors of indices, which are\n"
      "not checked. Lazy.");
  m.def(
      "matrix_function",
      [](std::string_view function, const std::vector<Array>& operands,
         const std::vector<int64_t>& integers, int64_t items, int64_t size) {
        std::vector<const Array*> given;
        for (const Array& x : operands) given.push_back(&x);
        ReleaseGil unlocked(size);
        return matrix_function(function, given, integers, items, size);
      },
      nb::arg("function"), nb::arg("operands"), nb::arg("integers"), nb::arg("items"),
      nb::arg("size"),
      "Numbers that a function of the device library computes from stacks of small matrices. The\n"
      "integers are not checked. Lazy.");
}

}  // namespace

void bind_array_index(nb::module_& m) {
  bind_unchecked(m);
  bind_combinations(m);
  bind_sparse_products(m);
  bind_sparse_rows(m);
  m.def("take", take_elements, nb::arg("x"), nb::arg("indices"),
        nb::arg("axis").none() = nb::none(), nb::kw_only(), nb::arg("queue").none() = nb::none(),
        documentation("take"));
  m.def(
      "take_along_axis",
      [](const Array& array, nb::handle given, int axis, nb::handle queue) {
        const Array x = on_explicit_queue(array, queue, "take_along_axis");
        const Array indices = import_any(given, {.queue = x.queue()});
        ReleaseGil unlocked(indices.size());
        return take_along_axis(x, indices, axis);
      },
      nb::arg("x"), nb::arg("indices"), nb::kw_only(), nb::arg("axis") = -1,
      nb::arg("queue").none() = nb::none(), documentation("take_along_axis"));
  m.def("searchsorted", sorted_places, nb::arg("x1"), nb::arg("x2"), nb::kw_only(),
        nb::arg("side") = "left", nb::arg("sorter").none() = nb::none(),
        nb::arg("queue").none() = nb::none(), documentation("searchsorted"));
  m.def(
      "nonzero",
      [](const Array& given, nb::handle queue) {
        const Array x = on_explicit_queue(given, queue, "nonzero");
        if (x.ndim() == 0) {
          throw Error(ErrorKind::kValue, "nonzero", "a 0-dimensional array has no axes to index");
        }
        std::vector<Array> indices;
        {
          ReleaseGil unlocked(x.size());
          indices = nonzero(x);
        }
        return nb::tuple(nb::cast(indices));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("queue").none() = nb::none(), documentation("nonzero"));
}

const PyType_Slot array_index_slots[] = {
    {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
    {Py_mp_ass_subscript, reinterpret_cast<void*>(assign_subscript)},
    {Py_mp_length, reinterpret_cast<void*>(length)},
    {Py_sq_length, reinterpret_cast<void*>(length)},
    {Py_sq_item, reinterpret_cast<void*>(item_at)},
    {Py_sq_contains, reinterpret_cast<void*>(contains)},
    {Py_tp_iter, reinterpret_cast<void*>(iterate)},
    {0, nullptr},
};

}  // namespace hither::python
