#include "python/dispatch/direct_call.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include <hither/error.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/array_object.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/dispatch/callable_type.h"
#include "python/interpreter/call_error.h"
#include "python/interpreter/raise_error.h"
#include "python/interpreter/type_members.h"

namespace hither::python {
namespace {

constexpr const char* kDoc =
    "DirectCall(general, choose, operands=0, positional=0, keywords=(), numbers=False)\n--\n\n"
    "A function that calls a native function where its arguments need no conversion, and else\n"
    "`general`.\n\n"
    "The first `operands` arguments must be hither arrays and numbers of Python and NumPy, with\n"
    "at least one array; with `numbers`, one of operands that are all numbers becomes an array on\n"
    "the current queue. Up to `positional` arguments and the keywords `keywords` may follow.\n"
    "Both functions understand these alike. `choose` is called with the operands once for each\n"
    "combination of their types, where NumPy's numbers are arrays without dimensions. It returns\n"
    "the function that gives general's result for these, or None. Functions in Python get no\n"
    "numbers of NumPy. A call that the native function refuses is made again with `general`, so\n"
    "that all errors are general's. Thread-safe.";

// Types of operands are numbered: dtypes, then the types of Python's numbers.
constexpr size_t kMostOperands = 3;
enum NumberType { kBool = kDTypeCount, kInt, kFloat, kComplex, kTypes };

struct DirectCall {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *attributes, *general, *choose, *keywords;
  Py_ssize_t operands, positional;
  int numbers;
  /// The native function for each combination of operand types: null where it is not known yet,
  /// None where there is none. It has references to them.
  std::atomic<PyObject*>* natives;
};

DirectCall& call_of(PyObject* self) { return *reinterpret_cast<DirectCall*>(self); }

int type_of_traced(PyObject* number) {
  const nb::object value = nb::handle(number).attr("value");
  return PyFloat_Check(value.ptr()) ? kFloat : kInt;
}

int type_of(PyObject* operand) {
  if (is_array(operand)) return static_cast<int>(array_of(operand).dtype());
  if (PyFloat_CheckExact(operand)) return kFloat;
  if (PyLong_CheckExact(operand)) return kInt;
  if (PyBool_Check(operand)) return kBool;
  if (Py_TYPE(operand) == traced_number_type) return type_of_traced(operand);
  if (PyComplex_CheckExact(operand)) return kComplex;
  // NumPy's type rules treat its scalars as arrays.
  const auto dtype = dtype_of_numpy_scalar(operand);
  return dtype ? static_cast<int>(*dtype) : kTypes;
}

bool takes_keywords(const DirectCall& d, PyObject* names) {
  const Py_ssize_t known = PyTuple_Size(d.keywords), given = PyTuple_Size(names);
  for (Py_ssize_t i = 0; i < given; ++i) {
    Py_ssize_t k = 0;
    while (k < known && PyTuple_GetItem(d.keywords, k) != PyTuple_GetItem(names, i)) ++k;
    if (k == known) return false;
  }
  return true;
}

// The place of the native function for such operands; null if no native function can take the
// arguments.
std::atomic<PyObject*>* place_of(const DirectCall& d, PyObject* const* arguments, Py_ssize_t count,
                                 PyObject* names) {
  if (count < d.operands || count > d.operands + d.positional) return nullptr;
  size_t types = 0;
  bool has_array = d.operands == 0;
  for (Py_ssize_t i = 0; i < d.operands; ++i) {
    const int type = type_of(arguments[i]);
    if (type == kTypes) return nullptr;
    has_array = has_array || is_array(arguments[i]);
    types = types * kTypes + static_cast<size_t>(type);
  }
  if (!has_array || (names && !takes_keywords(d, names))) return nullptr;
  return &d.natives[types];
}

size_t combinations(Py_ssize_t operands) {
  size_t count = 1;
  for (Py_ssize_t i = 0; i < operands; ++i) count *= kTypes;
  return count;
}

// Whether the current Python error says that a function does not take its arguments.
bool is_refusal() {
  return PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError) ||
         PyErr_ExceptionMatches(PyExc_LookupError);
}

bool is_plain_number(PyObject* object) {
  return PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyBool_Check(object) ||
         PyComplex_CheckExact(object) || dtype_of_numpy_scalar(object);
}

// Whether all arguments are operands that are numbers.
bool has_numbers_alone(const DirectCall& d, PyObject* const* arguments, Py_ssize_t count) {
  return d.numbers && count == d.operands &&
         std::all_of(arguments, arguments + count, is_plain_number);
}

// The number as an array of no dimension, on the queue of `like` or on the current queue. Null if
// it is beyond 64 bits.
nb::object as_array(PyObject* number, const Array* like = nullptr) {
  PyObject* made = guarded([&] {
    return wrap(import_any(number, {.queue = like ? like->queue() : resolve_queue(nb::none())}));
  });
  if (!made) PyErr_Clear();
  return nb::steal(made);
}

// Whether the function takes the operands: those in Python may not take NumPy's numbers.
bool takes_operands(PyObject* native, PyObject* const* arguments, Py_ssize_t operands) {
  return !PyFunction_Check(native) ||
         std::none_of(arguments, arguments + operands, is_numpy_scalar);
}

nb::object chosen_for(const DirectCall& d, PyObject* const* arguments) {
  PyObject* const* end = arguments + d.operands;
  PyObject* const* first = std::find_if(arguments, end, is_array);
  nb::object made[kMostOperands];
  PyObject* operands[kMostOperands] = {};
  for (Py_ssize_t i = 0; i < d.operands; ++i) {
    operands[i] = arguments[i];
    if (first == end || !is_numpy_scalar(arguments[i])) continue;
    made[i] = as_array(arguments[i], &array_of(*first));
    if (!made[i].is_valid()) return nb::none();
    operands[i] = made[i].ptr();
  }
  PyObject* chosen =
      PyObject_Vectorcall(d.choose, operands, static_cast<size_t>(d.operands), nullptr);
  if (!chosen) PyErr_Clear();
  return chosen ? nb::steal(chosen) : nb::none();
}

void choose(const DirectCall& d, PyObject* const* arguments, std::atomic<PyObject*>& place) {
  PyObject* chosen = chosen_for(d, arguments).release().ptr();
  PyObject* unknown = nullptr;
  if (!place.compare_exchange_strong(unknown, chosen)) Py_DECREF(chosen);
}

PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
  const DirectCall& d = call_of(self);
  const Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (!names && has_numbers_alone(d, arguments, count)) {
    // A number of NumPy has a dtype, which Python's numbers next to it take.
    const auto* typed = std::find_if(arguments, arguments + count, is_numpy_scalar);
    const auto chosen = typed == arguments + count ? 0 : typed - arguments;
    if (const nb::object made = as_array(arguments[chosen]); made.is_valid()) {
      PyObject* placed[kMostOperands] = {};
      std::copy(arguments, arguments + count, placed);
      placed[chosen] = made.ptr();
      return call(self, placed, static_cast<size_t>(count), nullptr);
    }
  }
  std::atomic<PyObject*>* place = place_of(d, arguments, count, names);
  PyObject* native = place ? place->load(std::memory_order_acquire) : Py_None;
  if (native && native != Py_None && takes_operands(native, arguments, d.operands)) {
    const RetriedCalls retried;
    PyObject* result = PyObject_Vectorcall(native, arguments, flags, names);
    if (result || !is_refusal()) return result;
    PyErr_Clear();
  }
  const RetriedCalls explained(false);
  PyObject* result = PyObject_Vectorcall(d.general, arguments, flags, names);
  if (result && !native) choose(d, arguments, *place);
  return result;
}

// The names as the strings that calls with these keywords pass.
PyObject* interned(PyObject* names) {
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  PyObject* found = PyTuple_New(count);
  for (Py_ssize_t i = 0; found && i < count; ++i) {
    PyObject* name = Py_NewRef(PyTuple_GetItem(names, i));
    PyUnicode_InternInPlace(&name);
    PyTuple_SetItem(found, i, name);
  }
  return found;
}

int initialise(PyObject* self, PyObject* arguments, PyObject* given) {
  static const char* const names[] = {"general",  "choose",  "operands", "positional",
                                      "keywords", "numbers", nullptr};
  PyObject *general = nullptr, *choose = nullptr, *keywords = nullptr;
  Py_ssize_t operands = 0, positional = 0;
  int numbers = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, given, "OO|nnO!p:DirectCall",
                                   const_cast<char**>(names), &general, &choose, &operands,
                                   &positional, &PyTuple_Type, &keywords, &numbers))
    return -1;
  DirectCall& d = call_of(self);
  return guarded_status([&] {
    if (d.natives || operands < 0 || operands > static_cast<Py_ssize_t>(kMostOperands))
      throw Error(ErrorKind::kValue, "DirectCall", "is initialised once, with 0 to 3 operands");
    d.natives = new std::atomic<PyObject*>[combinations(operands)]();
    d.general = Py_NewRef(general);
    d.choose = Py_NewRef(choose);
    d.keywords = interned(keywords);
    if (!d.keywords) throw nb::python_error();
    d.operands = operands;
    d.positional = positional;
    d.numbers = numbers && operands > 0;
    d.vectorcall = call;
    offer_fast_calls(self);
    return 0;
  });
}

PyObject* refuse_uninitialised(PyObject*, PyObject* const*, size_t, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "DirectCall.__init__ has not been called");
  return nullptr;
}

PyObject* make(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = PyType_GenericAlloc(type, 0);
  if (self) call_of(self).vectorcall = refuse_uninitialised;
  return self;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  const DirectCall& d = call_of(self);
  Py_VISIT(Py_TYPE(self));
  for (PyObject* part : {d.attributes, d.general, d.choose, d.keywords}) Py_VISIT(part);
  for (size_t i = 0; d.natives && i < combinations(d.operands); ++i) Py_VISIT(d.natives[i].load());
  return 0;
}

int clear(PyObject* self) {
  DirectCall& d = call_of(self);
  d.vectorcall = refuse_uninitialised;
  for (PyObject** part : {&d.attributes, &d.general, &d.choose, &d.keywords}) Py_CLEAR(*part);
  for (size_t i = 0; d.natives && i < combinations(d.operands); ++i)
    Py_XDECREF(d.natives[i].exchange(nullptr));
  return 0;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  delete[] call_of(self).natives;
  PyObject_GC_Del(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", Py_T_PYSSIZET, offsetof(DirectCall, vectorcall), Py_READONLY, nullptr},
    {"__dictoffset__", Py_T_PYSSIZET, offsetof(DirectCall, attributes), Py_READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

nb::object make_type(const char* name, unsigned flags, std::vector<PyType_Slot> more) {
  std::vector<PyType_Slot> slots = {
      {Py_tp_doc, const_cast<char*>(kDoc)},
      {Py_tp_new, reinterpret_cast<void*>(make)},
      {Py_tp_init, reinterpret_cast<void*>(initialise)},
      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(clear)},
      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
      {Py_tp_members, members},
      {Py_tp_getset, properties},
  };
  slots.insert(slots.end(), more.begin(), more.end());
  slots.push_back({0, nullptr});
  PyType_Spec spec = {name, sizeof(DirectCall), 0,
                      static_cast<unsigned>(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                            Py_TPFLAGS_HAVE_VECTORCALL | flags),
                      slots.data()};
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid()) throw nb::python_error();
  return type;
}

}  // namespace

nb::tuple make_direct_call_types() {
  return nb::make_tuple(make_type("hither.DirectCall", Py_TPFLAGS_BASETYPE, {}),
                        make_type("hither.DirectMethod", Py_TPFLAGS_METHOD_DESCRIPTOR,
                                  {{Py_tp_descr_get, reinterpret_cast<void*>(bind_as_method)}}));
}

}  // namespace hither::python
