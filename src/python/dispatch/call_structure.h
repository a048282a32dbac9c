// The nested structure of a call's arguments, and of its result, around their arrays and numbers.
#pragma once

#include <cstdint>
#include <vector>

#include <hither/array.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

enum class PartKind : uint8_t {
  kArray,     ///< a hither.Array
  kFloat,     ///< a Python float that varies
  kInt,       ///< a Python int that varies
  kList,      ///< `count` parts follow
  kTuple,     ///< `count` parts follow; `object` is the class of a named tuple, or null
  kDict,      ///< `count` pairs of a kKey and a part follow
  kKey,       ///< `object`
  kInstance,  ///< an object of class `object`; `count` attributes follow, as in a dict
  kObject,    ///< another object, which stays the same
  kArgument,  ///< in results: argument array number `count`
  kSymbol,    ///< in results: number `count` of the run
  kMissing,   ///< a variable that is not set
};

struct Part {
  PartKind kind;
  uint32_t count = 0;
  nb::object object;
};

/// Arrays and numbers in the order of their appearance. Borrowed.
struct Leaves {
  std::vector<PyObject*> arrays, numbers;
  void clear() {
    arrays.clear();
    numbers.clear();
  }
};

/// A variable that a function reads: an item of a dict, an attribute of a class, or the content of
/// a cell, which has no key.
struct Variable {
  nb::object holder, key;
};

/// The class of random generators, which are objects that stay the same although their state does
/// not: a run takes its draws itself. Null before its import. The reference is kept.
extern PyTypeObject* generator_type;

/// Describes `object` by parts, and appends its leaves. Numbers are leaves if `numbers_vary`, else
/// they are objects.
void describe(PyObject* object, bool numbers_vary, std::vector<Part>& parts, Leaves& leaves);
/// Describes the present value of a variable.
void describe(const Variable& variable, std::vector<Part>& parts, Leaves& leaves);

/// Whether `object` has the structure that begins at parts[at], which is then moved to its end. The
/// leaves are appended.
bool matches(PyObject* object, const std::vector<Part>& parts, size_t& at, Leaves& leaves);
bool matches(const Variable& variable, const std::vector<Part>& parts, size_t& at, Leaves& leaves);

/// Where the leaves of a rebuilt structure come from. Each call returns a new reference.
class LeafSource {
 public:
  virtual ~LeafSource() = default;
  virtual PyObject* array() = 0;
  virtual PyObject* argument(uint32_t index) = 0;
  virtual PyObject* symbol(uint32_t index) = 0;
};
/// The result with the structure at parts[at], as describe_result() described it.
nb::object rebuild(const std::vector<Part>& parts, size_t& at, LeafSource& leaves);

/// Describes the result of a call. Numbers that the run computes are objects of class `traced`,
/// with the attribute `symbol`. The arrays that are not `arguments` themselves are appended.
/// Returns whether all other objects in it are immutable, and not too deep in it.
bool describe_result(PyObject* object, PyObject* traced, const std::vector<PyObject*>& arguments,
                     std::vector<Part>& parts, std::vector<PyObject*>& arrays, int depth = 0);

}  // namespace hither::python
