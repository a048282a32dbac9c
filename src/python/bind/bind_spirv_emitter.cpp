// hither.set_spirv_emitter().
#include <hither/spirv_emitter.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/interpreter/gil.h"

namespace hither::python {

void bind_spirv_emitter(nb::module_& m) {
  m.def(
      "set_spirv_emitter",
      [](std::vector<std::string> command, std::string identity) {
        GilReleased release;
        set_spirv_emitter(std::move(command), std::move(identity));
      },
      nb::arg("command"), nb::arg("identity"),
      "Names the program that writes SPIR-V, as a list of words, and what its output depends on\n"
      "(name and version). Nothing need be named: hither's own uses Numba's LLVM. A request on "
      "its\n"
      "standard input is the length of the text (8 bytes, little-endian) and LLVM assembly; an\n"
      "answer is one byte, b'B' or b'E', a length, and the SPIR-V binary or words on why there is\n"
      "none. An empty command takes the program away. Waits for kernels that are being compiled.");
}

}  // namespace hither::python
