// hither.DirectCall and hither.DirectMethod, see dispatch/direct_call.h.
#include "python/bind/bindings.h"
#include "python/dispatch/direct_call.h"

namespace hither::python {

void bind_direct_call(nb::module_& m) {
  const nb::tuple types = make_direct_call_types();
  m.attr("DirectCall") = types[0];
  m.attr("DirectMethod") = types[1];
}

}  // namespace hither::python
