#include "python/convert/list_import.h"

#include <variant>
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/array_scalar.h"

namespace hither::python {
namespace {

// Numbers in nested sequences: the innermost items are arrays without dimensions in a CPU's memory
// and other numbers, and sequences at one depth have one length.
struct Numbers {
  Dims shape;
  std::vector<std::variant<Scalar, Array>> items;

  // Whether the sequence, at this depth of the whole one, holds nothing else. Adds its numbers.
  bool collect(PyObject* object, int depth) {
    if (depth == shape.size()) return add(object);
    const bool list = PyList_Check(object);
    if (!list && !PyTuple_Check(object)) return false;
    if (PySequence_Size(object) != shape[depth]) return false;
    for (Py_ssize_t i = 0; i < shape[depth]; ++i) {
      PyObject* const item = list ? PyList_GetItem(object, i) : PyTuple_GetItem(object, i);
      if (!collect(item, depth + 1)) return false;
    }
    return true;
  }

  DType dtype() const {
    const auto dtype_of = [](const auto& item) {
      return std::visit([](const auto& number) { return number.dtype(); }, item);
    };
    DType result = dtype_of(items.front());
    for (const auto& item : items) result = promote(result, dtype_of(item));
    return result;
  }

 private:
  bool add(PyObject* object) {
    if (is_array(object)) {
      const Array& x = array_of(object);
      if (x.ndim() != 0 || x.device().type() != DeviceType::kCpu) return false;
      items.emplace_back(x);
      return true;
    }
    if (is_sequence(object)) return false;
    const auto scalar = scalar_of(object);
    if (scalar) items.emplace_back(*scalar);
    return scalar.has_value();
  }
};

std::optional<Numbers> numbers_of(PyObject* sequence) {
  Numbers numbers;
  for (PyObject* first = sequence; PyList_Check(first) || PyTuple_Check(first);) {
    const Py_ssize_t count = PySequence_Size(first);
    if (count == 0) return std::nullopt;
    numbers.shape.push_back(count);
    first = PyList_Check(first) ? PyList_GetItem(first, 0) : PyTuple_GetItem(first, 0);
  }
  if (!numbers.collect(sequence, 0)) return std::nullopt;
  return numbers;
}

// Reads the values, so that one copy takes the place of a kernel for each number.
Array array_of_numbers(const Numbers& numbers, const Allocate& where) {
  const DType dtype = numbers.dtype();
  const int64_t itemsize = size_of(dtype);
  std::vector<std::byte> elements(numbers.items.size() * static_cast<size_t>(itemsize) + 16);
  {
    ReleaseGil unlocked;
    for (const auto& item : numbers.items)
      if (const Array* const x = std::get_if<Array>(&item)) x->evaluate();
  }
  std::byte* out = elements.data();
  for (const auto& item : numbers.items) {
    const Array* const x = std::get_if<Array>(&item);
    if (!x) {
      std::get<Scalar>(item).write(dtype, out);
    } else if (x->dtype() == dtype) {
      ReleaseGil unlocked;
      x->item(out);
    } else {
      scalar_of(element_of(*x).ptr(), dtype)->write(dtype, out);
    }
    out += itemsize;
  }
  Dims strides(numbers.shape.size(), itemsize);
  for (int d = strides.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * numbers.shape[d];
  ReleaseGil unlocked;
  return from_host(elements.data(), numbers.shape, strides, dtype, where);
}

}  // namespace

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
  if (const auto numbers = numbers_of(sequence.ptr())) return array_of_numbers(*numbers, where);
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
  if (shape.size() == kMaxRank)
    throw Error(ErrorKind::kValue, "asarray",
                fmt::format("the items have {0} dimensions, and a list of them would have {1}; the "
                            "maximum is {0}",
                            kMaxRank, kMaxRank + 1));
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
