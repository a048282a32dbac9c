// Who writes SPIR-V for devices that take it.
#pragma once

#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// Names the program that turns LLVM IR into SPIR-V; `import hither` in Python names one. It is
/// started when the first kernel for a SPIR-V device is compiled, serves one kernel after the other
/// on its standard input and output, and is started anew when it dies. A request is the length of
/// the text (8 bytes, little-endian) and LLVM assembly as LLVM 19 prints it, with the triple in it;
/// an answer is one byte, 'B' or 'E', a length, and the SPIR-V binary or words on why there is
/// none. It should end when its input does. `identity` says in a line what its output depends on
/// (name and version): code on disk that another one wrote is not used. An empty command takes the
/// program away. Thread-safe; kernels that are being compiled are finished first.
HITHER_EXPORT void set_spirv_emitter(std::vector<std::string> command, std::string identity);

}  // namespace hither
