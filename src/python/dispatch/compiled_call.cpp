#include "python/dispatch/compiled_call.h"

#include <algorithm>
#include <cstddef>

#include "python/convert/array_argument.h"
#include "python/dispatch/callable_type.h"
#include "python/dispatch/matched_call.h"
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

// Runs the program. Null without an error if it is not for these arrays.
PyObject* run(const CallProgram& p, const MatchedCall& call) {
  const auto numbers = scalars_of(call);
  if (!numbers) return nullptr;
  std::vector<const Array*> arrays;
  arrays.reserve(call.leaves.arrays.size());
  for (PyObject* object : call.leaves.arrays) arrays.push_back(&array_of(object));
  std::vector<Array> results;
  const auto run = [&] { return p.recording->run(arrays, *numbers, results); };
  bool ran = false;
  const std::shared_ptr<TakenDraws> draws = call.draws;
  struct Kept {  // an error of the run is one of a call that has made its draws
    TakenDraws* draws;
    ~Kept() {
      if (draws) draws->keep();
    }
  } kept{draws.get()};
  if (p.recording->has_calls()) {  // which take the GIL
    const GilReleased release;
    ran = run();
  } else {
    ran = unlocked(run);
  }
  if (!ran) {
    kept.draws = nullptr;
    if (draws) draws->give_back();
    return nullptr;
  }
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
      if (!result) {
        matched.draws.reset();
        continue;
      }
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

std::shared_ptr<const CallProgram> latest_program(nb::handle compiled) {
  const Programs& programs = *checked(compiled).programs;
  return programs.empty() ? nullptr : programs.front();
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
