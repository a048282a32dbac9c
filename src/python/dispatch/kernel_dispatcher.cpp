#include "python/dispatch/kernel_dispatcher.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/convert/current_queue.h"
#include "python/convert/kernel_argument.h"
#include "python/convert/range_argument.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/raise_error.h"

namespace hither::python {
namespace {

// Borrowed for the life of the process.
PyObject* placement_warning = nullptr;
PyTypeObject* configured_type = nullptr;

KernelDispatcher& dispatcher_of(PyObject* object) {
  return *nb::inst_ptr<KernelDispatcher>(nb::handle(object));
}

// The result of `kernel[range]`: a kernel and its range.
struct ConfiguredKernel {
  PyObject_HEAD PyObject* dispatcher;
  NdRange range;
};

// The arguments of a call by position, with keywords and defaults inserted. Borrowed.
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

// Internal to this file, so that the call slots inline it: a call by name costs 2 % of a launch.
Event launch_here(PyObject* self, const NdRange* range, PyObject* positional, PyObject* keywords) {
  KernelDispatcher& dispatcher = dispatcher_of(self);
  launch::KernelFunction& kernel = dispatcher.kernel();
  const BoundCall call(dispatcher, positional, keywords);
  const auto& names = kernel.parameters();
  KernelArguments arguments(call.size());
  if (call.size() > names.size())  // too many: launch() refuses the call
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
    launch_here(self, range, positional, keywords);
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

// A kernel's function refers to its module, and the module to the kernel: the garbage collector
// must see that cycle.
int dispatcher_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  Py_VISIT(dispatcher_of(self).function().ptr());
  Py_VISIT(dispatcher_of(self).defaults().ptr());
  Py_VISIT(dispatcher_of(self).options().ptr());
  return 0;
}

}  // namespace

PyType_Slot kernel_dispatcher_slots[] = {
    {Py_tp_call, reinterpret_cast<void*>(dispatcher_call)},
    {Py_mp_subscript, reinterpret_cast<void*>(dispatcher_subscript)},
    {Py_tp_traverse, reinterpret_cast<void*>(dispatcher_traverse)},
    {0, nullptr},
};

nb::object make_configured_kernel_type(nb::object warning) {
  placement_warning = warning.release().ptr();
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
  configured_type = reinterpret_cast<PyTypeObject*>(nb::borrow(type).release().ptr());
  return type;
}

Event launch_call(PyObject* dispatcher, const NdRange* range, PyObject* positional,
                  PyObject* keywords) {
  return launch_here(dispatcher, range, positional, keywords);
}

}  // namespace hither::python
