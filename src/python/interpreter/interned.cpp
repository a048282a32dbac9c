#include "python/interpreter/interned.h"

#include <vector>

namespace hither::python {
namespace {

struct Table {
  nb::dict numbers;
  std::vector<nb::object> objects;
};

Table& table() {
  static auto* instance = new Table;  // outlives the interpreter
  return *instance;
}

}  // namespace

uint32_t intern(nb::handle object) {
  Table& t = table();
  if (PyObject* known = PyDict_GetItem(t.numbers.ptr(), object.ptr()))
    return nb::cast<uint32_t>(nb::handle(known));
  t.objects.push_back(nb::borrow(object));
  const auto number = static_cast<uint32_t>(t.objects.size());
  t.numbers[object] = number;
  return number;
}

nb::handle interned(uint32_t number) {
  return number ? nb::handle(table().objects[number - 1]) : nb::handle(Py_None);
}

}  // namespace hither::python
