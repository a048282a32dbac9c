// The Python front end of kernels, called from the core.
#pragma once

#include "launch/specialisation.h"
#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Converts a hither.kernel.front_end.FrontEndResult.
launch::KernelSource kernel_source_of(nb::handle result, bool debug);

/// Runs hither.kernel.front_end on a Python function. Takes the GIL when called.
class PythonFrontEnd : public launch::FrontEnd {
 public:
  /// `function` and `options`, a hither.kernel.options.KernelOptions, are borrowed: the
  /// KernelDispatcher, which owns this, keeps them.
  PythonFrontEnd(nb::handle function, nb::handle options)
      : function_(function), options_(options) {}

  launch::KernelSource make(std::span<const launch::ArgumentType> types,
                            std::span<const uint64_t> nesting) override;

 private:
  /// The same, with the GIL.
  launch::KernelSource make_here(std::span<const launch::ArgumentType> types,
                                 std::span<const uint64_t> nesting);

  nb::handle function_, options_;
};

}  // namespace hither::python
