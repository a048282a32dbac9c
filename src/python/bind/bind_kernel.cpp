// hither.KernelDispatcher: what @hither.kernel makes of a function, and hither.launch.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "launch/kernel_function.h"
#include "launch/library_front_end.h"
#include "launch/source_store.h"
#include "python/convert/array_object.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/kernel_argument.h"
#include "python/convert/kernel_front_end.h"
#include "python/convert/range_argument.h"
#include "python/interpreter/gil.h"

namespace hither::python {
namespace {

// Borrowed for the life of the process.
PyObject* placement_warning = nullptr;
PyTypeObject* dispatcher_type = nullptr;
PyTypeObject* configured_type = nullptr;

class KernelDispatcher {
 public:
  KernelDispatcher(nb::object function, std::vector<std::string> parameters, nb::dict defaults,
                   nb::object options)
      : KernelDispatcher(std::make_unique<PythonFrontEnd>(function, options), function,
                         std::move(parameters), std::move(defaults), options) {}
  KernelDispatcher(std::unique_ptr<launch::FrontEnd> front_end, nb::object function,
                   std::vector<std::string> parameters, nb::dict defaults, nb::object options)
      : function_(std::move(function)),
        defaults_(std::move(defaults)),
        options_(std::move(options)),
        kernel_(nb::cast<std::string>(function_.attr("__name__")), std::move(parameters),
                std::move(front_end)) {}

  nb::handle function() const { return function_; }
  nb::handle defaults() const { return defaults_; }
  nb::handle options() const { return options_; }
  launch::KernelFunction& kernel() { return kernel_; }

 private:
  nb::object function_;
  nb::dict defaults_;
  nb::object options_;
  launch::KernelFunction kernel_;
};

KernelDispatcher& dispatcher_of(PyObject* object) {
  return *nb::inst_ptr<KernelDispatcher>(nb::handle(object));
}

// A kernel and its range: what `kernel[range]` gives, one small object a launch.
struct ConfiguredKernel {
  PyObject_HEAD PyObject* dispatcher;
  NdRange range;
};

// The positional arguments of a call, keywords and defaults put in their places. Borrowed.
class BoundCall {
 public:
  BoundCall(KernelDispatcher& dispatcher, PyObject* arguments, PyObject* keywords)
      : given_(arguments), count_(static_cast<size_t>(PyTuple_Size(arguments))) {
    if (keywords || count_ < dispatcher.kernel().parameters().size()) bind(dispatcher, keywords);
  }

  size_t size() const noexcept { return count_; }
  PyObject* operator[](size_t i) const {
    return placed_.empty() ? PyTuple_GetItem(given_, static_cast<Py_ssize_t>(i)) : placed_[i];
  }
  nb::handle queue = nb::none(), depends_on = nb::none();

 private:
  void bind(KernelDispatcher& dispatcher, PyObject* keywords) {
    const auto& names = dispatcher.kernel().parameters();
    std::vector<PyObject*> placed(std::max(names.size(), count_), nullptr);
    for (size_t i = 0; i < count_; ++i)
      placed[i] = PyTuple_GetItem(given_, static_cast<Py_ssize_t>(i));
    if (keywords) take_keywords(dispatcher, keywords, placed);
    for (size_t i = 0; i < placed.size(); ++i) {
      if (!placed[i])
        placed[i] = PyDict_GetItemString(dispatcher.defaults().ptr(), names[i].c_str());
      if (!placed[i])
        throw Error(ErrorKind::kType, dispatcher.kernel().name(),
                    fmt::format("argument {} is missing", names[i]));
    }
    placed_ = std::move(placed);
    count_ = placed_.size();
  }

  void take_keywords(KernelDispatcher& dispatcher, PyObject* keywords,
                     std::vector<PyObject*>& placed) {
    const auto& names = dispatcher.kernel().parameters();
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(keywords, &at, &key, &value);) {
      const auto name = nb::cast<std::string>(nb::handle(key));
      const auto found = std::find(names.begin(), names.end(), name);
      if (found != names.end()) {
        PyObject*& place = placed[static_cast<size_t>(found - names.begin())];
        if (place)
          throw Error(ErrorKind::kType, dispatcher.kernel().name(),
                      fmt::format("argument {} is given twice", name));
        place = value;
      } else if (name == "queue") {
        queue = value;
      } else if (name == "depends_on") {
        depends_on = value;
      } else {
        throw Error(
            ErrorKind::kType, dispatcher.kernel().name(),
            fmt::format("has no parameter {}; a launch also takes queue= and depends_on=", name));
      }
    }
  }

  PyObject* given_;
  size_t count_;
  std::vector<PyObject*> placed_;
};

void warn_context_ignored(const std::string& kernel) {
  const std::string text =
      kernel +
      ": its arrays decide the queue (computation follows data), so the device "
      "context, or block of a queue manager, around this call has no effect";
  if (PyErr_WarnEx(placement_warning, text.c_str(), 1) != 0) throw nb::python_error();
}

Event launch_call(PyObject* self, const NdRange* range, PyObject* positional, PyObject* keywords) {
  KernelDispatcher& dispatcher = dispatcher_of(self);
  launch::KernelFunction& kernel = dispatcher.kernel();
  const BoundCall call(dispatcher, positional, keywords);
  const auto& names = kernel.parameters();
  KernelArguments arguments(call.size());
  if (call.size() > names.size())  // which launch() refuses
    for (size_t i = 0; i < call.size(); ++i) arguments.add(call[i], kernel.name(), kernel.name());
  else
    for (size_t i = 0; i < call.size(); ++i) arguments.add(call[i], kernel.name(), names[i]);
  const std::optional<Queue> given = explicit_queue(call.queue);
  const std::optional<Queue> context = context_queue();
  const std::vector<Event> events = events_argument(call.depends_on);
  launch::LaunchRequest request;
  request.range = range;
  request.arguments = arguments.span();
  request.nesting = arguments.nesting();
  request.explicit_queue = given ? &*given : nullptr;
  request.context_queue = context ? &*context : nullptr;
  request.depends_on = events;
  launch::LaunchResult result;
  {
    GilReleased release;
    result = kernel.launch(request);
  }
  if (result.context_ignored || (result.follows_data && context && context_always_warns()))
    warn_context_ignored(kernel.name());
  return result.event;
}

PyObject* call_and_forget(PyObject* self, const NdRange* range, PyObject* positional,
                          PyObject* keywords) {
  return guarded([&] {
    launch_call(self, range, positional, keywords);
    Py_RETURN_NONE;
  });
}

PyObject* dispatcher_call(PyObject* self, PyObject* positional, PyObject* keywords) {
  return call_and_forget(self, nullptr, positional, keywords);
}

PyObject* dispatcher_subscript(PyObject* self, PyObject* key) {
  return guarded([&]() -> PyObject* {
    const NdRange range = range_argument(key);
    auto* configured = PyObject_GC_New(ConfiguredKernel, configured_type);
    if (!configured) return nullptr;
    configured->dispatcher = Py_NewRef(self);
    new (&configured->range) NdRange(range);
    PyObject_GC_Track(configured);
    return reinterpret_cast<PyObject*>(configured);
  });
}

PyObject* configured_call(PyObject* self, PyObject* positional, PyObject* keywords) {
  auto* configured = reinterpret_cast<ConfiguredKernel*>(self);
  return call_and_forget(configured->dispatcher, &configured->range, positional, keywords);
}

void configured_deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_DECREF(reinterpret_cast<ConfiguredKernel*>(self)->dispatcher);
  PyObject_GC_Del(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

int configured_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<ConfiguredKernel*>(self)->dispatcher);
  return 0;
}

void bind_configured_kernel(nb::module_& m) {
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>("A kernel and the range to launch it over. Call it with the "
                                    "kernel's arguments.")},
      {Py_tp_call, reinterpret_cast<void*>(configured_call)},
      {Py_tp_dealloc, reinterpret_cast<void*>(configured_deallocate)},
      {Py_tp_traverse, reinterpret_cast<void*>(configured_traverse)},
      {0, nullptr},
  };
  PyType_Spec spec = {"hither.ConfiguredKernel", sizeof(ConfiguredKernel), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid()) throw nb::python_error();
  m.attr("ConfiguredKernel") = type;
  configured_type = reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

// A kernel's function refers to its module, and thereby to the kernel: the collector must see it.
int dispatcher_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  Py_VISIT(dispatcher_of(self).function().ptr());
  Py_VISIT(dispatcher_of(self).defaults().ptr());
  Py_VISIT(dispatcher_of(self).options().ptr());
  return 0;
}

Event launch_function(nb::handle kernel, nb::handle range, const nb::args& arguments,
                      const nb::kwargs& keywords) {
  if (Py_TYPE(kernel.ptr()) != dispatcher_type)
    throw Error(ErrorKind::kType, "launch",
                "the first argument is not a function decorated with "
                "@hither.kernel");
  std::optional<NdRange> given;
  if (!range.is_none()) given = range_argument(range);
  return launch_call(kernel.ptr(), given ? &*given : nullptr, arguments.ptr(), keywords.ptr());
}

// The kernels of a library: (name, types of the parameters, what makes its dispatcher).
nb::list library_kernels(const nb::bytes& code, const std::string& where) {
  const auto library = launch::load_library({code.c_str(), code.size()}, where);
  nb::list kernels;
  for (size_t k = 0; k < library->kernels.size(); ++k) {
    const compiler::LibraryKernel& kernel = library->kernels[k];
    nb::list types;
    for (const compiler::LibraryParameter& p : kernel.parameters) types.append(p.type);
    nb::object dispatcher =
        nb::cpp_function([library, k](nb::object function, std::vector<std::string> parameters) {
          return new KernelDispatcher(std::make_unique<launch::LibraryFrontEnd>(library, k),
                                      std::move(function), std::move(parameters), nb::dict(),
                                      nb::none());
        });
    kernels.append(nb::make_tuple(kernel.name, types, dispatcher));
  }
  return kernels;
}

std::string type_text(const launch::Specialisation& s) {
  std::string text;
  for (uint64_t word : s.argument_words()) {
    const auto type = launch::ArgumentType::from_word(word);
    if (!text.empty()) text += ", ";
    if (type.rank < 0)
      text += type.record ? "record" : name_of(type.dtype);
    else
      text += fmt::format("array({}, {}d, {}{})", name_of(type.dtype), type.rank,
                          type.contiguous ? "C" : "A",
                          type.local       ? ", local"
                          : type.read_only ? ", readonly"
                                           : "");
  }
  return text;
}

void compile_for(KernelDispatcher& dispatcher,
                 const std::vector<std::tuple<std::string, int, bool>>& given) {
  std::vector<launch::ArgumentType> types;
  for (const auto& [dtype, rank, contiguous] : given)
    types.push_back({.dtype = dtype_argument(nb::cast(dtype)),
                     .rank = static_cast<int8_t>(rank),
                     .contiguous = contiguous});
  const Queue queue = resolve_queue(nb::none());
  GilReleased release;
  dispatcher.kernel().compile_for(types, queue);
}

nb::object inspected(const std::string& text, launch::Inspection what) {
  if (what == launch::Inspection::kSpirv) return nb::bytes(text.c_str(), text.size());
  return nb::str(text.c_str(), text.size());
}

nb::dict inspect(KernelDispatcher& dispatcher, launch::Inspection what) {
  nb::dict texts;
  for (const auto& s : dispatcher.kernel().specialisations()) {
    std::string text;
    {
      GilReleased release;
      text = launch::inspect(*s, what);
    }
    texts[nb::str(type_text(*s).c_str())] = inspected(text, what);
  }
  return texts;
}

nb::object function_attribute(const KernelDispatcher& dispatcher, const std::string& name) {
  return dispatcher.function().attr(name.c_str());
}

nb::object load_source(const std::string& key) {
  const std::optional<std::string> found = launch::load_source(key);
  if (!found) return nb::none();
  return nb::bytes(found->data(), found->size());
}

double compile_time(KernelDispatcher& dispatcher) {
  double seconds = 0;
  for (const auto& s : dispatcher.kernel().specialisations())
    seconds += s->source().seconds + s->compile_seconds();
  return seconds;
}

}  // namespace

void bind_kernel(nb::module_& m) {
  bind_configured_kernel(m);
  placement_warning =
      nb::object(nb::module_::import_("hither.errors").attr("PlacementWarning")).release().ptr();
  static PyType_Slot slots[] = {
      {Py_tp_call, reinterpret_cast<void*>(dispatcher_call)},
      {Py_mp_subscript, reinterpret_cast<void*>(dispatcher_subscript)},
      {Py_tp_traverse, reinterpret_cast<void*>(dispatcher_traverse)},
      {0, nullptr},
  };
  auto type = nb::class_<KernelDispatcher>(
      m, "KernelDispatcher",
      "A kernel. kernel[range](*arguments) launches it over a range, kernel(*arguments) over the\n"
      "shape of its first array; both take queue= and depends_on= and return None.",
      nb::type_slots(slots), nb::is_final(), nb::is_weak_referenceable());
  type.def(nb::init<nb::object, std::vector<std::string>, nb::dict, nb::object>(),
           nb::arg("function"), nb::arg("parameters"), nb::arg("defaults"), nb::arg("options"))
      .def("_compile_for", compile_for, nb::arg("types"),
           "Compiles for arguments of these types, each (dtype, rank, C-contiguous).")
      .def_prop_ro("py_func", &KernelDispatcher::function, "The Python function.")
      .def_prop_ro("__wrapped__", &KernelDispatcher::function)
      .def("__getattr__", function_attribute, "The function's own attributes: __name__ and so on.")
      .def_prop_ro("options", &KernelDispatcher::options, "What the decorator was given.")
      .def_prop_ro("compile_time", compile_time,
                   "Seconds spent so far on compiling, the Python part included.")
      .def(
          "inspect_llvm",
          [](KernelDispatcher& k) { return inspect(k, launch::Inspection::kOptimised); },
          "The optimised LLVM IR for the CPU, by the types of the calls so far. A kernel with "
          "work-groups is shown for the local size that was new last.")
      .def(
          "inspect_asm",
          [](KernelDispatcher& k) { return inspect(k, launch::Inspection::kAssembly); },
          "The assembly for the CPU, by the types of the calls so far. A kernel with work-groups "
          "is "
          "shown for the local size that was new last.")
      .def(
          "inspect_spirv",
          [](KernelDispatcher& k) { return inspect(k, launch::Inspection::kSpirv); },
          "The SPIR-V binary that devices get which take SPIR-V, by the types of the calls so far.")
      .def("__repr__", [](const KernelDispatcher& k) {
        return fmt::format("<hither.kernel {}>",
                           nb::cast<std::string>(k.function().attr("__qualname__")));
      });
  m.def("library_kernels", library_kernels, nb::arg("code"), nb::arg("where"));
  m.def("load_kernel_source", load_source, nb::arg("key"));
  m.def(
      "store_kernel_source",
      [](const std::string& key, const nb::bytes& content) {
        launch::store_source(key, {content.c_str(), content.size()});
      },
      nb::arg("key"), nb::arg("content"));
  dispatcher_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  m.def("launch", launch_function, nb::arg("kernel"), nb::arg("range").none(), nb::arg("args"),
        nb::arg("kwargs"),
        "launch(kernel, range, *arguments, queue=None, depends_on=None): launches and returns the "
        "Event\n"
        "without waiting (with NumPy arguments it waits). `range` may be None.");
}

}  // namespace hither::python
