// hither.KernelDispatcher, the object that @hither.kernel makes of a function, and its call slots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <hither/kernel.h>

#include "launch/kernel_function.h"
#include "python/convert/kernel_front_end.h"
#include "python/interpreter/nanobind.h"

namespace hither::python {

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

/// The slots of the class: call, subscript, traverse. Ended by a null slot.
extern PyType_Slot kernel_dispatcher_slots[];

/// Makes hither.ConfiguredKernel, the type of `kernel[range]`. Called once, with the class of the
/// warning that a launch ignores a device context.
nb::object make_configured_kernel_type(nb::object placement_warning);

/// Launches a KernelDispatcher; `range` may be null. Waits only if an argument is in host memory.
Event launch_call(PyObject* dispatcher, const NdRange* range, PyObject* positional,
                  PyObject* keywords);

}  // namespace hither::python
