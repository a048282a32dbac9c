#include "python/interpreter/sharded_call.h"

#include <array>
#include <utility>

#include <hither/error.h>

#include "python/interpreter/call_error.h"
#include "python/interpreter/raise_error.h"

namespace hither::python {
namespace {

bool is_sharded(PyObject* object) {
  return nb::hasattr(reinterpret_cast<PyObject*>(Py_TYPE(object)), "_is_sharded");
}

PyObject* of_sharded(const char* function, PyObject* const* arguments, Py_ssize_t positional,
                     PyObject* names) {
  nb::list given;
  for (Py_ssize_t i = 0; i < positional; ++i) given.append(nb::handle(arguments[i]));
  nb::dict keywords;
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); ++i)
    keywords[nb::handle(PyTuple_GetItem(names, i))] = nb::handle(arguments[positional + i]);
  const nb::object call = nb::module_::import_("hither._sharded.functions").attr("call_native");
  return call(function, given, keywords).release().ptr();
}

// nanobind has a few vectorcall functions, each of which serves many Python functions.
constexpr size_t kMost = 8;
std::array<vectorcallfunc, kMost> originals;
Py_ssize_t vectorcall_offset = 0;

template <size_t number>
PyObject* call_or_shard(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
  PyObject* const result = originals[number](self, arguments, flags, names);
  if (result) return result;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  const nb::object name = nb::steal(PyObject_GetAttrString(self, "__name__"));
  PyErr_Restore(type, value, trace);
  const char* const text = PyUnicode_AsUTF8AndSize(name.ptr(), nullptr);
  return call_with_sharded(text, arguments, PyVectorcall_NARGS(flags), names);
}

template <size_t... numbers>
constexpr std::array<vectorcallfunc, kMost> replacements(std::index_sequence<numbers...>) {
  return {call_or_shard<numbers>...};
}

}  // namespace

PyObject* call_with_sharded(const char* function, PyObject* const* arguments, Py_ssize_t positional,
                            PyObject* names) noexcept {
  const bool refused =
      PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_BufferError);
  if (!refused || RetriedCalls::are_active()) return nullptr;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  const Py_ssize_t count = positional + (names ? PyTuple_Size(names) : 0);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!is_sharded(arguments[i])) continue;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return guarded([&] { return of_sharded(function, arguments, positional, names); });
  }
  PyErr_Restore(type, value, trace);
  return nullptr;
}

void take_sharded(nb::handle function) {
  if (vectorcall_offset == 0)
    throw Error(ErrorKind::kInternal, "hither", "nanobind's functions have no vectorcall member");
  auto& called = *reinterpret_cast<vectorcallfunc*>(reinterpret_cast<char*>(function.ptr()) +
                                                    vectorcall_offset);
  constexpr auto table = replacements(std::make_index_sequence<kMost>());
  for (size_t i = 0; i < kMost; ++i) {
    if (originals[i] && originals[i] != called) continue;
    originals[i] = called;
    called = table[i];
    return;
  }
  throw Error(ErrorKind::kInternal, "hither", "nanobind uses more vectorcall functions than kMost");
}

void set_vectorcall_offset(Py_ssize_t offset) noexcept { vectorcall_offset = offset; }

}  // namespace hither::python
