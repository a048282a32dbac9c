// hither._hither._set_eager(), which tests use.
#include <hither/eager.h>
#include <nanobind/stl/optional.h>

#include "python/bind/bindings.h"

namespace hither::python {

void bind_eager(nb::module_& m) {
  m.def("_set_eager", set_eager, nb::arg("on").none(),
        "Sets whether operations of this thread run immediately. None: as HITHER_EAGER says.\n"
        "Returns the previous setting.");
}

}  // namespace hither::python
