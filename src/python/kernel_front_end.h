// The Python front end of kernels, called from the core.
#pragma once

#include "launch/specialisation.h"
#include "python/bindings.h"

namespace hither::python {

/// Runs hither.kernel.front_end on a Python function. Takes the GIL when called.
class PythonFrontEnd : public launch::FrontEnd {
 public:
  /// `function` is borrowed: the KernelDispatcher, which owns this, keeps it.
  PythonFrontEnd(nb::handle function, bool debug, bool fastmath)
      : function_(function), debug_(debug), fastmath_(fastmath) {}

  launch::KernelSource make(std::span<const launch::ArgumentType> types) override;

 private:
  nb::handle function_;
  bool debug_, fastmath_;
};

}  // namespace hither::python
