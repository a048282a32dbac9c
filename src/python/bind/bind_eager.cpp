// hither._hither._set_eager(), which tests use.
#include <hither/eager.h>
#include <nanobind/stl/optional.h>

#include "python/bind/bindings.h"

namespace hither::python {

void bind_eager(nb::module_& m) {
  m.def("_set_eager", set_eager, nb::arg("on").none(),
        "Whether operations of this thread run at once; None: as HITHER_EAGER says. Returns what "
        "was set before.");
}

}  // namespace hither::python
