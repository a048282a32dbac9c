#include "python/dispatch/compiled_call.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/dispatch/callable_type.h"
#include "python/interpreter/raise_error.h"
#include "python/interpreter/type_members.h"

namespace hither::python {
namespace {

constexpr const char* kDoc =
    "CompiledCall(function, record)\n--\n\n"
    "A function whose calls run recorded programs.\n\n"
    "A call for whose arguments there is no program returns record(args, kwargs), which may add\n"
    "one. While the thread records, calls run `function`. Thread-safe.";

using Programs = std::vector<std::shared_ptr<const CallProgram>>;

struct CompiledCall {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *attributes, *weak_references, *function, *record;
  Programs* programs;  ///< the last used first; accessed with the GIL
};

CompiledCall& call_of(PyObject* self) { return *reinterpret_cast<CompiledCall*>(self); }

bool same_names(PyObject* names, const nb::object& known) {
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  const Py_ssize_t recorded = known.is_valid() ? PyTuple_Size(known.ptr()) : 0;
  if (count != recorded) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *a = PyTuple_GetItem(names, i), *b = PyTuple_GetItem(known.ptr(), i);
    if (a != b && PyUnicode_Compare(a, b) != 0) return false;
  }
  return true;
}

bool same_context(const CallProgram& p) {
  const auto now = context_queue();
  return now.has_value() == p.context.has_value() && (!now || *now == *p.context);
}

bool is_fixed_value(PyObject* number, PyObject* known) {
  if (PyFloat_CheckExact(number)) {
    const double a = PyFloat_AsDouble(number), b = PyFloat_AsDouble(known);
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
  const int equal = PyObject_RichCompareBool(number, known, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal == 1;
}

/// The arguments of one call, as a program sees them.
struct MatchedCall {
  Leaves leaves;
  std::vector<nb::object> kept;  ///< the leaves; other threads may change their containers
  nb::object numbers;            ///< result of numbers_of
};

bool holds(const CallProgram& p, PyObject* const* arguments, Py_ssize_t positional, PyObject* names,
           MatchedCall& call) {
  if (positional != static_cast<Py_ssize_t>(p.positional) || !same_names(names, p.names))
    return false;
  const Py_ssize_t all = positional + (names ? PyTuple_Size(names) : 0);
  size_t at = 0;
  call.leaves.clear();
  for (Py_ssize_t i = 0; i < all; ++i)
    if (!matches(arguments[i], p.parts, at, call.leaves)) return false;
  for (const Variable& v : p.variables)
    if (!matches(v, p.parts, at, call.leaves)) return false;
  for (size_t i = 0; i < p.fixed.size(); ++i)
    if (p.fixed[i].is_valid() && !is_fixed_value(call.leaves.numbers[i], p.fixed[i].ptr()))
      return false;
  if (!same_context(p)) return false;
  call.kept.clear();
  call.kept.reserve(call.leaves.arrays.size() + call.leaves.numbers.size());
  for (const auto* leaves : {&call.leaves.arrays, &call.leaves.numbers})
    for (PyObject* leaf : *leaves) call.kept.push_back(nb::borrow(leaf));
  if (!p.numbers_of.is_valid()) return true;
  call.numbers = nb::steal(PyObject_Vectorcall(p.numbers_of.ptr(), call.leaves.numbers.data(),
                                               call.leaves.numbers.size(), nullptr));
  if (call.numbers.is_valid() && !call.numbers.is_none()) return true;
  if (PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
    PyErr_Clear();
  }
  return false;
}

// Whether an integer has at most 64 bits; larger ones become other kinds of scalars, or none.
bool fits_scalar(PyObject* integer) {
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(integer, &overflow);
  if (overflow <= 0) return overflow == 0;
  PyLong_AsUnsignedLongLong(integer);
  const bool fits = !PyErr_Occurred();
  PyErr_Clear();
  return fits;
}

// The numbers of a run; nothing if one is too large for a scalar.
std::optional<std::vector<Scalar>> scalars_of(const MatchedCall& call) {
  std::vector<Scalar> scalars;
  const auto add = [&](PyObject* number) {
    if (PyLong_CheckExact(number) && !fits_scalar(number)) return false;
    const auto scalar = scalar_of(number, DType::kFloat64);
    if (scalar) scalars.push_back(*scalar);
    return scalar.has_value();
  };
  if (!call.numbers.is_valid()) {
    for (PyObject* number : call.leaves.numbers)
      if (!add(number)) return std::nullopt;
    return scalars;
  }
  for (Py_ssize_t i = 0; i < PyTuple_Size(call.numbers.ptr()); ++i)
    if (!add(PyTuple_GetItem(call.numbers.ptr(), i))) return std::nullopt;
  return scalars;
}

class ResultLeaves final : public LeafSource {
 public:
  ResultLeaves(std::vector<Array> arrays, const MatchedCall& call)
      : arrays_(std::move(arrays)), call_(call) {}
  PyObject* array() override { return wrap(std::move(arrays_[next_++])); }
  PyObject* argument(uint32_t index) override {
    return nb::borrow(call_.leaves.arrays[index]).release().ptr();
  }
  PyObject* symbol(uint32_t index) override {
    PyObject* number = call_.numbers.is_valid() ? PyTuple_GetItem(call_.numbers.ptr(), index)
                                                : call_.leaves.numbers[index];
    return nb::borrow(number).release().ptr();
  }

 private:
  std::vector<Array> arrays_;
  const MatchedCall& call_;
  size_t next_ = 0;
};

// Runs the program. Null without an error if it is not for these arrays.
PyObject* run(const CallProgram& p, const MatchedCall& call) {
  const auto numbers = scalars_of(call);
  if (!numbers) return nullptr;
  std::vector<const Array*> arrays;
  arrays.reserve(call.leaves.arrays.size());
  for (PyObject* object : call.leaves.arrays) arrays.push_back(&array_of(object));
  std::vector<Array> results;
  const bool ran = unlocked([&] { return p.recording->run(arrays, *numbers, results); });
  if (!ran) return nullptr;
  ResultLeaves leaves(std::move(results), call);
  size_t at = 0;
  return rebuild(p.result, at, leaves).release().ptr();
}

PyObject* record(const CompiledCall& c, PyObject* const* arguments, Py_ssize_t positional,
                 PyObject* names) {
  nb::object args = nb::steal(PyTuple_New(positional));
  if (!args.is_valid()) return nullptr;
  for (Py_ssize_t i = 0; i < positional; ++i)
    PyTuple_SetItem(args.ptr(), i, Py_NewRef(arguments[i]));
  nb::dict keywords;
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); ++i)
    keywords[nb::handle(PyTuple_GetItem(names, i))] = nb::handle(arguments[positional + i]);
  return PyObject_CallFunctionObjArgs(c.record, args.ptr(), keywords.ptr(), nullptr);
}

PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
  CompiledCall& c = call_of(self);
  if (Recorder::is_active()) return PyObject_Vectorcall(c.function, arguments, flags, names);
  const Py_ssize_t positional = PyVectorcall_NARGS(flags);
  return guarded([&]() -> PyObject* {
    MatchedCall matched;
    for (size_t i = 0; i < c.programs->size(); ++i) {
      const std::shared_ptr<const CallProgram> program = (*c.programs)[i];
      if (!holds(*program, arguments, positional, names, matched)) continue;
      if (!program->recording) return PyObject_Vectorcall(c.function, arguments, flags, names);
      PyObject* result = run(*program, matched);
      if (!result && PyErr_Occurred()) return nullptr;
      if (!result) continue;
      if (i > 0 && i < c.programs->size() && (*c.programs)[i] == program)
        std::rotate(c.programs->begin(), c.programs->begin() + static_cast<ptrdiff_t>(i),
                    c.programs->begin() + static_cast<ptrdiff_t>(i) + 1);
      return result;
    }
    return record(c, arguments, positional, names);
  });
}

int initialise(PyObject* self, PyObject* arguments, PyObject* given) {
  static const char* const names[] = {"function", "record", nullptr};
  PyObject *function = nullptr, *record = nullptr;
  if (!PyArg_ParseTupleAndKeywords(arguments, given, "OO:CompiledCall", const_cast<char**>(names),
                                   &function, &record))
    return -1;
  CompiledCall& c = call_of(self);
  return guarded_status([&] {
    if (c.programs) throw Error(ErrorKind::kValue, "CompiledCall", "is initialised once");
    c.programs = new Programs;
    c.function = Py_NewRef(function);
    c.record = Py_NewRef(record);
    c.vectorcall = call;
    offer_fast_calls(self);
    return 0;
  });
}

PyObject* refuse_uninitialised(PyObject*, PyObject* const*, size_t, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "CompiledCall.__init__ has not been called");
  return nullptr;
}

PyObject* make(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = PyType_GenericAlloc(type, 0);
  if (self) call_of(self).vectorcall = refuse_uninitialised;
  return self;
}

template <typename Visit>
int each_object(const CompiledCall& c, Visit&& visit) {
  if (!c.programs) return 0;
  for (const auto& p : *c.programs) {
    for (const auto* parts : {&p->parts, &p->result})
      for (const Part& part : *parts)
        if (const int stop = visit(part.object.ptr())) return stop;
    for (const Variable& v : p->variables)
      if (const int stop = visit(v.holder.ptr())) return stop;
    if (const int stop = visit(p->numbers_of.ptr())) return stop;
  }
  return 0;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  const CompiledCall& c = call_of(self);
  Py_VISIT(Py_TYPE(self));
  for (PyObject* part : {c.attributes, c.function, c.record}) Py_VISIT(part);
  return each_object(c, [&](PyObject* object) { return object ? visit(object, arg) : 0; });
}

int clear(PyObject* self) {
  CompiledCall& c = call_of(self);
  c.vectorcall = refuse_uninitialised;
  if (c.programs) {
    Programs dropped;
    std::swap(dropped, *c.programs);
  }
  for (PyObject** part : {&c.attributes, &c.function, &c.record}) Py_CLEAR(*part);
  return 0;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (call_of(self).weak_references) PyObject_ClearWeakRefs(self);
  clear(self);
  delete call_of(self).programs;
  PyObject_GC_Del(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", Py_T_PYSSIZET, offsetof(CompiledCall, vectorcall), Py_READONLY,
     nullptr},
    {"__dictoffset__", Py_T_PYSSIZET, offsetof(CompiledCall, attributes), Py_READONLY, nullptr},
    {"__weaklistoffset__", Py_T_PYSSIZET, offsetof(CompiledCall, weak_references), Py_READONLY,
     nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyTypeObject* compiled_call_type = nullptr;

CompiledCall& checked(nb::handle compiled) {
  if (PyObject_IsInstance(compiled.ptr(), reinterpret_cast<PyObject*>(compiled_call_type)) != 1 ||
      !call_of(compiled.ptr()).programs)
    throw Error(ErrorKind::kType, "compile", "is not an initialised CompiledCall");
  return call_of(compiled.ptr());
}

}  // namespace

nb::object make_compiled_call_type() {
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>(kDoc)},
      {Py_tp_new, reinterpret_cast<void*>(make)},
      {Py_tp_init, reinterpret_cast<void*>(initialise)},
      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(clear)},
      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
      {Py_tp_descr_get, reinterpret_cast<void*>(bind_as_method)},
      {Py_tp_members, members},
      {Py_tp_getset, properties},
      {0, nullptr},
  };
  PyType_Spec spec = {
      "hither.CompiledCall", sizeof(CompiledCall), 0,
      static_cast<unsigned>(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                            Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR),
      slots};
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid()) throw nb::python_error();
  compiled_call_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  Py_INCREF(type.ptr());  // for the life of the process
  return type;
}

void add_program(nb::handle compiled, std::shared_ptr<CallProgram> program) {
  Programs& programs = *checked(compiled).programs;
  std::shared_ptr<const CallProgram> dropped;  // destroyed last: it may run code that calls this
  if (programs.size() == kMostPrograms) {
    dropped = std::move(programs.back());
    programs.pop_back();
  }
  const auto place = program->recording ? programs.begin() : programs.end();
  programs.insert(place, std::move(program));
}

nb::object run_steps(nb::handle compiled, int64_t count, nb::object state) {
  for (int64_t i = 0; i < count; ++i) {
    const nb::object index = nb::steal(PyLong_FromLongLong(i));
    PyObject* arguments[] = {index.ptr(), state.ptr()};
    nb::object next = nb::steal(PyObject_Vectorcall(compiled.ptr(), arguments, 2, nullptr));
    if (!next.is_valid() || PyErr_CheckSignals() != 0) throw nb::python_error();
    state = std::move(next);
  }
  return state;
}

size_t program_count(nb::handle compiled) { return checked(compiled).programs->size(); }

std::vector<std::string> describe_programs(nb::handle compiled) {
  std::vector<std::string> texts;
  for (const auto& program : *checked(compiled).programs)
    texts.push_back(program->recording ? program->recording->describe() : "");
  return texts;
}

void clear_programs(nb::handle compiled) {
  Programs dropped;
  std::swap(dropped, *checked(compiled).programs);
}

}  // namespace hither::python
