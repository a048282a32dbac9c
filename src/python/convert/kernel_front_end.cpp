#include "python/convert/kernel_front_end.h"

#include <chrono>
#include <string>

#include <hither/error.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "profiling/ranges.h"
#include "profiling/record.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/interned.h"

namespace hither::python {
namespace {

// The fields of hither._kernel.numba.argument_type.ArgumentType.
nb::object described(const launch::ArgumentType& type) {
  return nb::make_tuple(std::string(name_of(type.dtype)), static_cast<int>(type.rank),
                        type.contiguous ? "C" : "A", type.read_only, type.aligned, type.local,
                        interned(type.record));
}

// A parameter: the fields of its type, or for a tuple a list of its class (None for a plain tuple)
// and its items.
nb::object described(std::span<const launch::ArgumentType>& types,
                     std::span<const uint64_t>& nesting) {
  const uint64_t token = nesting[0];
  nesting = nesting.subspan(1);
  if (!launch::NestingToken::is_tuple(token)) {
    const launch::ArgumentType& type = types[0];
    types = types.subspan(1);
    return described(type);
  }
  nb::list tuple;
  tuple.append(interned(launch::NestingToken::tuple_class(token)));
  for (uint32_t i = 0; i < launch::NestingToken::items(token); ++i)
    tuple.append(described(types, nesting));
  return tuple;
}

nb::list described_all(std::span<const launch::ArgumentType> types,
                       std::span<const uint64_t> nesting) {
  nb::list list;
  if (nesting.empty())
    for (const launch::ArgumentType& type : types) list.append(described(type));
  while (!nesting.empty()) list.append(described(types, nesting));
  return list;
}

}  // namespace

launch::KernelSource kernel_source_of(nb::handle result, bool debug) {
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
  source.has_groups = nb::cast<bool>(result.attr("has_groups"));
  source.prints = nb::cast<std::vector<std::string>>(result.attr("prints"));
  source.key = nb::cast<std::string>(result.attr("key"));
  return source;
}

launch::KernelSource PythonFrontEnd::make(std::span<const launch::ArgumentType> types,
                                          std::span<const uint64_t> nesting) {
  GilAcquired gil;
  return with_python([&] { return make_here(types, nesting); });
}

launch::KernelSource PythonFrontEnd::make_here(std::span<const launch::ArgumentType> types,
                                               std::span<const uint64_t> nesting) {
  const profiling::Range range("compile ", nb::cast<std::string>(function_.attr("__name__")));
  const auto start = std::chrono::steady_clock::now();
  nb::module_ cache = nb::module_::import_("hither._kernel.numba.source_cache");
  try {
    const nb::object make = cache.attr("kernel_source");
    const nb::object described = described_all(types, nesting);
    // In with_python() by itself, because this frame owns Python objects.
    PyObject* const made = with_python([&] {
      return PyObject_CallFunctionObjArgs(make.ptr(), function_.ptr(), described.ptr(),
                                          options_.ptr(), nullptr);
    });
    if (!made) throw nb::python_error();
    const nb::object result = nb::steal(made);
    launch::KernelSource source = kernel_source_of(result, nb::cast<bool>(options_.attr("debug")));
    source.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    profiling::add_past(profiling::Kind::kCompilation, source.module.entry, "Numba",
                        source.seconds);
    return source;
  } catch (nb::python_error& error) {
    if (!error.matches(cache.attr("KernelRefused"))) throw;
    throw Error(ErrorKind::kCompile, nb::cast<std::string>(function_.attr("__name__")),
                nb::cast<std::string>(nb::str(error.value())));
  }
}

}  // namespace hither::python
