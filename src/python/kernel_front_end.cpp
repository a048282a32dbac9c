#include "python/kernel_front_end.h"

#include <chrono>
#include <string>

#include <hither/error.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace hither::python {
namespace {

nb::list described(std::span<const launch::ArgumentType> types) {
  nb::list list;
  for (const launch::ArgumentType& type : types) {
    const std::string dtype(name_of(type.dtype));
    if (type.rank < 0)
      list.append(nb::make_tuple(dtype));
    else
      list.append(nb::make_tuple(dtype, static_cast<int>(type.rank), type.contiguous ? "C" : "A",
                                 type.read_only, type.aligned));
  }
  return list;
}

launch::KernelSource source_of(nb::handle result, bool debug) {
  launch::KernelSource source;
  target::KernelModule& module = source.module;
  module.entry = nb::cast<std::string>(result.attr("entry"));
  module.code = nb::cast<std::vector<std::string>>(result.attr("texts"));
  for (int code : nb::cast<std::vector<int>>(result.attr("parameters")))
    module.signature.parameters.push_back(static_cast<target::Parameter>(code));
  module.independent_items = nb::cast<bool>(result.attr("independent"));
  module.debug = debug;
  module.source_file = nb::cast<std::string>(result.attr("file"));
  module.messages = nb::cast<std::vector<std::string>>(result.attr("messages"));
  source.written = nb::cast<std::vector<bool>>(result.attr("written"));
  return source;
}

}  // namespace

launch::KernelSource PythonFrontEnd::make(std::span<const launch::ArgumentType> types) {
  nb::gil_scoped_acquire gil;
  const auto start = std::chrono::steady_clock::now();
  nb::module_ front_end = nb::module_::import_("hither.kernel.front_end");
  try {
    nb::object result =
        front_end.attr("compile_kernel")(function_, described(types), debug_, fastmath_);
    launch::KernelSource source = source_of(result, debug_);
    source.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return source;
  } catch (nb::python_error& error) {
    if (!error.matches(front_end.attr("KernelRefused"))) throw;
    throw Error(ErrorKind::kCompile, nb::cast<std::string>(function_.attr("__name__")),
                nb::cast<std::string>(nb::str(error.value())));
  }
}

}  // namespace hither::python
