// The program that emits SPIR-V.
#pragma once

#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// Sets the program that translates LLVM IR to SPIR-V; Python's `import hither` sets one. It is
/// started when the first kernel for a SPIR-V device is compiled, serves one request after the
/// other on its standard input and output, and is restarted if it dies. A request is the length of
/// the text (8 bytes, little-endian) and LLVM assembly as LLVM 19 prints it, with the triple in it;
/// an answer is one byte ('B' or 'E'), a length, and the SPIR-V binary or an error message. The
/// program should end at the end of its input. `identity` is one line that its output depends on
/// (name and version): cached code of another identity is not used. An empty command removes the
/// program. Thread-safe; running compilations are finished first.
HITHER_EXPORT void set_spirv_emitter(std::vector<std::string> command, std::string identity);

}  // namespace hither
