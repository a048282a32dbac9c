// hither.set_spirv_emitter().
#include <hither/spirv_emitter.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/interpreter/gil.h"

namespace hither::python {

void bind_spirv_emitter(nb::module_& m) {
  m.def(
      "set_spirv_emitter",
      [](std::vector<std::string> command, std::string identity) {
        GilReleased release;
        set_spirv_emitter(std::move(command), std::move(identity));
      },
      nb::arg("command"), nb::arg("identity"), documentation("set_spirv_emitter"));
}

}  // namespace hither::python
