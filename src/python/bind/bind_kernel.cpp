// hither.KernelDispatcher, the object that @hither.kernel makes of a function, and hither.launch.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "launch/library_front_end.h"
#include "launch/print_buffer.h"
#include "launch/source_store.h"
#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/range_argument.h"
#include "python/dispatch/kernel_dispatcher.h"
#include "python/interpreter/release_gil.h"

namespace hither::python {
namespace {

// Borrowed for the life of the process.
PyTypeObject* dispatcher_type = nullptr;

Event launch_function(nb::handle kernel, nb::handle range, const nb::args& arguments,
                      const nb::kwargs& keywords) {
  if (Py_TYPE(kernel.ptr()) != dispatcher_type)
    throw Error(ErrorKind::kType, "launch",
                "the first argument is not a function decorated with @hither.kernel");
  std::optional<NdRange> given;
  if (!range.is_none()) given = range_argument(range);
  return launch_call(kernel.ptr(), given ? &*given : nullptr, arguments.ptr(), keywords.ptr());
}

// The kernels of a library: (name, parameter types, function that makes the dispatcher).
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

nb::list take_printed(bool wait) {
  const std::vector<launch::Printed> taken = unlocked([&] { return launch::take_printed(wait); });
  nb::list all;
  for (const launch::Printed& p : taken)
    all.append(nb::make_tuple(
        p.name, p.kernel->source().prints,
        nb::bytes(reinterpret_cast<const char*>(p.words.data()), 8 * p.words.size()), p.left_out));
  return all;
}

double compile_time(KernelDispatcher& dispatcher) {
  double seconds = 0;
  for (const auto& s : dispatcher.kernel().specialisations())
    seconds += s->source().seconds + s->compile_seconds();
  return seconds;
}

}  // namespace

void bind_kernel(nb::module_& m) {
  m.attr("ConfiguredKernel") =
      make_configured_kernel_type(nb::module_::import_("hither.errors").attr("PlacementWarning"));
  auto type = nb::class_<KernelDispatcher>(
      m, "KernelDispatcher",
      "A kernel. kernel[range](*arguments) launches it over a range, and kernel(*arguments)\n"
      "over the shape of its first array. Both take queue= and depends_on=, and return None.",
      nb::type_slots(kernel_dispatcher_slots), nb::is_final(), nb::is_weak_referenceable());
  type.def(nb::init<nb::object, std::vector<std::string>, nb::dict, nb::object>(),
           nb::arg("function"), nb::arg("parameters"), nb::arg("defaults"), nb::arg("options"))
      .def("_compile_for", compile_for, nb::arg("types"),
           "Compiles for arguments of these types, each (dtype, rank, C-contiguous).")
      .def_prop_ro("py_func", &KernelDispatcher::function, "The Python function.")
      .def_prop_ro("__wrapped__", &KernelDispatcher::function)
      .def("__getattr__", function_attribute,
           "The attributes of the Python function: __name__ and so on.")
      .def_prop_ro("options", &KernelDispatcher::options, "The options of the decorator.")
      .def_prop_ro("compile_time", compile_time,
                   "Seconds spent on compilation so far, including the part in Python.")
      .def(
          "inspect_llvm",
          [](KernelDispatcher& k) { return inspect(k, launch::Inspection::kOptimised); },
          "The optimised LLVM IR for the CPU, in a dict by the argument types of the calls so "
          "far.\n"
          "A kernel with work-groups is shown for the local size that was compiled last.")
      .def(
          "inspect_asm",
          [](KernelDispatcher& k) { return inspect(k, launch::Inspection::kAssembly); },
          "The assembly for the CPU, in a dict by the argument types of the calls so far. A "
          "kernel\n"
          "with work-groups is shown for the local size that was compiled last.")
      .def(
          "inspect_spirv",
          [](KernelDispatcher& k) { return inspect(k, launch::Inspection::kSpirv); },
          "The SPIR-V binary for devices that take SPIR-V, in a dict by the argument types of the\n"
          "calls so far.")
      .def("__repr__", [](const KernelDispatcher& k) {
        return fmt::format("<hither.kernel {}>",
                           nb::cast<std::string>(k.function().attr("__qualname__")));
      });
  m.def("take_printed", take_printed, nb::arg("wait"),
        "What kernels that have ended printed: (kernel, texts of its calls of print, words, calls\n"
        "left out) for each launch; see _kernel.printing. With wait, that of all launches.");
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
        nb::arg("kwargs"), documentation("launch"));
}

}  // namespace hither::python
