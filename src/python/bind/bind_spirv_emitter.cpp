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
      "Sets the program that writes SPIR-V: `command` is a list of words, and `identity` (name "
      "and\n"
      "version) says what its output depends on. By default hither uses Numba's LLVM. The "
      "program reads\n"
      "requests from its standard input: the length of the text (8 bytes, little-endian) and LLVM\n"
      "assembly. It answers with one byte, b'B' or b'E', a length, and the SPIR-V binary or an "
      "error\n"
      "message. An empty command removes the program. Waits for kernels that are being compiled.");
}

}  // namespace hither::python
