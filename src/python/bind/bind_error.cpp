// hither::Error becomes an instance of the class in hither.errors that its kind names.
#include <exception>

#include "python/bind/bindings.h"
#include "python/interpreter/raise_error.h"

namespace hither::python {

void bind_error(nb::module_&) {
  load_error_classes();
  nb::register_exception_translator(
      [](const std::exception_ptr& exception, void*) { translate(exception); });
}

}  // namespace hither::python
