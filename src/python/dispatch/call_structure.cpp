#include "python/dispatch/call_structure.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "python/convert/array_object.h"
#include "python/convert/dtype_argument.h"

namespace hither::python {

PyTypeObject* generator_type = nullptr;
namespace {

// Larger containers, and objects in deeper ones, are compared by their identity.
constexpr Py_ssize_t kMostItems = 4096;
constexpr int kDeepest = 12;

bool is_named_tuple(PyObject* object) {
  return PyTuple_Check(object) && PyObject_HasAttrString(object, "_fields");
}

// Whether it is one of hither's generators, not of a class that a program derives.
bool holds_state(PyTypeObject* type) {
  if (!generator_type || !PyType_IsSubtype(type, generator_type)) return false;
  const nb::object module = nb::handle(reinterpret_cast<PyObject*>(type)).attr("__module__");
  return nb::cast<std::string>(module).starts_with("hither.");
}

// The attributes of an object of a class that is written in Python; null for other objects.
nb::object attributes_of(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (holds_state(type)) return {};
  if (!(PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE) || PyModule_Check(object) ||
      PyType_Check(object) || PyCallable_Check(object) || PyDict_Check(object) ||
      PyList_Check(object) || PyTuple_Check(object) || PyAnySet_Check(object))
    return {};
  PyObject* dict = PyObject_GetAttrString(object, "__dict__");
  if (!dict) PyErr_Clear();
  nb::object found = nb::steal(dict);
  return dict && PyDict_CheckExact(dict) && PyDict_Size(dict) <= kMostItems ? found : nb::object();
}

class Describer {
 public:
  Describer(bool numbers_vary, std::vector<Part>& parts, Leaves& leaves)
      : vary_(numbers_vary), parts_(parts), leaves_(leaves) {}

  void describe(PyObject* object, int depth = 0) {
    if (is_array(object)) {
      parts_.push_back({PartKind::kArray});
      leaves_.arrays.push_back(object);
    } else if (vary_ && (PyFloat_CheckExact(object) || PyLong_CheckExact(object))) {
      parts_.push_back({PyFloat_CheckExact(object) ? PartKind::kFloat : PartKind::kInt});
      leaves_.numbers.push_back(object);
    } else if (depth >= kDeepest || !describe_container(object, depth)) {
      parts_.push_back({PartKind::kObject, 0, nb::borrow(object)});
    }
  }

 private:
  bool describe_container(PyObject* object, int depth) {
    if (PyList_CheckExact(object) && PyList_Size(object) <= kMostItems) {
      const Py_ssize_t count = PyList_Size(object);
      parts_.push_back({PartKind::kList, static_cast<uint32_t>(count)});
      for (Py_ssize_t i = 0; i < count; ++i) describe(PyList_GetItem(object, i), depth + 1);
      return true;
    }
    if (PyTuple_CheckExact(object) || is_named_tuple(object)) {
      const Py_ssize_t count = PyTuple_Size(object);
      parts_.push_back({PartKind::kTuple, static_cast<uint32_t>(count)});
      if (!PyTuple_CheckExact(object))
        parts_.back().object = nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(object)));
      for (Py_ssize_t i = 0; i < count; ++i) describe(PyTuple_GetItem(object, i), depth + 1);
      return true;
    }
    if (PyDict_CheckExact(object) && PyDict_Size(object) <= kMostItems) {
      describe_dict(PartKind::kDict, {}, object, depth);
      return true;
    }
    const nb::object attributes = attributes_of(object);
    if (!attributes.is_valid()) return false;
    const bool outer = std::exchange(vary_, false);
    describe_dict(PartKind::kInstance, nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(object))),
                  attributes.ptr(), depth);
    vary_ = outer;
    return true;
  }

  void describe_dict(PartKind kind, nb::object type, PyObject* dict, int depth) {
    parts_.push_back({kind, static_cast<uint32_t>(PyDict_Size(dict)), std::move(type)});
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t place = 0;
    while (PyDict_Next(dict, &place, &key, &value)) {
      parts_.push_back({PartKind::kKey, 0, nb::borrow(key)});
      describe(value, depth + 1);
    }
  }

  bool vary_;
  std::vector<Part>& parts_;
  Leaves& leaves_;
};

bool same_bytes(PyObject* a, PyObject* b) {
  const nb::object x = nb::handle(a).attr("tobytes")(), y = nb::handle(b).attr("tobytes")();
  return x.equal(y);
}

// Whether a program that was recorded for `known` holds for `object`.
bool is_same(PyObject* object, PyObject* known) {
  if (object == known) return true;
  if (Py_TYPE(object) != Py_TYPE(known)) return false;
  if (PyFloat_CheckExact(object)) {
    const double a = PyFloat_AsDouble(object), b = PyFloat_AsDouble(known);
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
  if (PyComplex_CheckExact(object)) {
    const double a[] = {PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)};
    const double b[] = {PyComplex_RealAsDouble(known), PyComplex_ImagAsDouble(known)};
    return std::memcmp(a, b, sizeof a) == 0;
  }
  if (is_numpy_scalar(object)) return same_bytes(object, known);
  if (!PyLong_Check(object) && !PyUnicode_Check(object) && !PyBytes_Check(object) &&
      !PySlice_Check(object))
    return false;
  const int equal = PyObject_RichCompareBool(object, known, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal == 1;
}

bool dict_matches(PyObject* dict, const std::vector<Part>& parts, size_t& at, uint32_t count,
                  Leaves& leaves) {
  if (PyDict_Size(dict) != static_cast<Py_ssize_t>(count)) return false;
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t place = 0;
  while (PyDict_Next(dict, &place, &key, &value)) {
    if (!is_same(key, parts[at].object.ptr())) return false;
    ++at;
    if (!matches(value, parts, at, leaves)) return false;
  }
  return true;
}

PyObject* value_of(const Variable& variable) {  // borrowed, or null
  PyObject* const holder = variable.holder.ptr();
  if (PyDict_CheckExact(holder)) return PyDict_GetItem(holder, variable.key.ptr());
  PyObject* content = variable.key.is_valid() ? PyObject_GetAttr(holder, variable.key.ptr())
                                              : PyObject_GetAttrString(holder, "cell_contents");
  if (!content) {
    PyErr_Clear();
    return nullptr;
  }
  Py_DECREF(content);  // the cell or class keeps it
  return content;
}

}  // namespace

void describe(PyObject* object, bool numbers_vary, std::vector<Part>& parts, Leaves& leaves) {
  Describer(numbers_vary, parts, leaves).describe(object);
}

void describe(const Variable& variable, std::vector<Part>& parts, Leaves& leaves) {
  PyObject* value = value_of(variable);
  if (value)
    describe(value, false, parts, leaves);
  else
    parts.push_back({PartKind::kMissing});
}

bool matches(PyObject* object, const std::vector<Part>& parts, size_t& at, Leaves& leaves) {
  const Part& part = parts[at++];
  switch (part.kind) {
    case PartKind::kArray:
      if (!is_array(object)) return false;
      leaves.arrays.push_back(object);
      return true;
    case PartKind::kFloat:
    case PartKind::kInt:
      if (!(part.kind == PartKind::kFloat ? PyFloat_CheckExact(object) : PyLong_CheckExact(object)))
        return false;
      leaves.numbers.push_back(object);
      return true;
    case PartKind::kList:
      if (!PyList_CheckExact(object) || PyList_Size(object) != part.count) return false;
      for (uint32_t i = 0; i < part.count; ++i)
        if (!matches(PyList_GetItem(object, i), parts, at, leaves)) return false;
      return true;
    case PartKind::kTuple: {
      PyTypeObject* type = part.object.is_valid()
                               ? reinterpret_cast<PyTypeObject*>(part.object.ptr())
                               : &PyTuple_Type;
      if (Py_TYPE(object) != type || PyTuple_Size(object) != part.count) return false;
      for (uint32_t i = 0; i < part.count; ++i)
        if (!matches(PyTuple_GetItem(object, i), parts, at, leaves)) return false;
      return true;
    }
    case PartKind::kDict:
      return PyDict_CheckExact(object) && dict_matches(object, parts, at, part.count, leaves);
    case PartKind::kInstance: {
      if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != part.object.ptr()) return false;
      const nb::object attributes = attributes_of(object);
      return attributes.is_valid() && dict_matches(attributes.ptr(), parts, at, part.count, leaves);
    }
    case PartKind::kObject:
      return is_same(object, part.object.ptr());
    default:
      return false;
  }
}

bool matches(const Variable& variable, const std::vector<Part>& parts, size_t& at, Leaves& leaves) {
  PyObject* value = value_of(variable);
  if (value) return matches(value, parts, at, leaves);
  return parts[at++].kind == PartKind::kMissing;
}

nb::object rebuild(const std::vector<Part>& parts, size_t& at, LeafSource& leaves) {
  const Part& part = parts[at++];
  const auto owned = [](PyObject* object) {
    if (!object) throw nb::python_error();
    return nb::steal(object);
  };
  switch (part.kind) {
    case PartKind::kArray:
      return owned(leaves.array());
    case PartKind::kArgument:
      return owned(leaves.argument(part.count));
    case PartKind::kSymbol:
      return owned(leaves.symbol(part.count));
    case PartKind::kList: {
      nb::object list = owned(PyList_New(part.count));
      for (uint32_t i = 0; i < part.count; ++i)
        PyList_SetItem(list.ptr(), i, rebuild(parts, at, leaves).release().ptr());
      return list;
    }
    case PartKind::kTuple: {
      nb::object tuple = owned(PyTuple_New(part.count));
      for (uint32_t i = 0; i < part.count; ++i)
        PyTuple_SetItem(tuple.ptr(), i, rebuild(parts, at, leaves).release().ptr());
      return part.object.is_valid() ? nb::object(part.object.attr("_make")(tuple)) : tuple;
    }
    case PartKind::kDict: {
      nb::dict dict;
      for (uint32_t i = 0; i < part.count; ++i) {
        const nb::object& key = parts[at++].object;
        dict[key] = rebuild(parts, at, leaves);
      }
      return dict;
    }
    default:
      return part.object;
  }
}

bool describe_result(PyObject* object, PyObject* traced, const std::vector<PyObject*>& arguments,
                     std::vector<Part>& parts, std::vector<PyObject*>& arrays, int depth) {
  const auto inner = [&](PyObject* part) {
    return describe_result(part, traced, arguments, parts, arrays, depth + 1);
  };
  if (depth > kDeepest) return false;
  bool immutable = true;
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) == traced) {
    const auto symbol = nb::cast<uint32_t>(nb::handle(object).attr("symbol"));
    parts.push_back({PartKind::kSymbol, symbol - 1});
  } else if (is_array(object)) {
    const auto same = std::ranges::find(arguments, object);
    const bool is_argument = same != arguments.end();
    parts.push_back({is_argument ? PartKind::kArgument : PartKind::kArray,
                     static_cast<uint32_t>(same - arguments.begin())});
    if (!is_argument) arrays.push_back(object);
  } else if (PyList_CheckExact(object)) {
    parts.push_back({PartKind::kList, static_cast<uint32_t>(PyList_Size(object))});
    for (Py_ssize_t i = 0; i < PyList_Size(object); ++i)
      immutable &= inner(PyList_GetItem(object, i));
  } else if (PyTuple_CheckExact(object) || is_named_tuple(object)) {
    parts.push_back({PartKind::kTuple, static_cast<uint32_t>(PyTuple_Size(object))});
    if (!PyTuple_CheckExact(object))
      parts.back().object = nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(object)));
    for (Py_ssize_t i = 0; i < PyTuple_Size(object); ++i)
      immutable &= inner(PyTuple_GetItem(object, i));
  } else if (PyDict_CheckExact(object)) {
    parts.push_back({PartKind::kDict, static_cast<uint32_t>(PyDict_Size(object))});
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t place = 0;
    while (PyDict_Next(object, &place, &key, &value)) {
      parts.push_back({PartKind::kKey, 0, nb::borrow(key)});
      immutable &= inner(value);
    }
  } else {
    parts.push_back({PartKind::kObject, 0, nb::borrow(object)});
    immutable = object == Py_None || PyLong_Check(object) || PyFloat_CheckExact(object) ||
                PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) ||
                PyComplex_CheckExact(object) || is_numpy_scalar(object);
  }
  return immutable;
}

}  // namespace hither::python
