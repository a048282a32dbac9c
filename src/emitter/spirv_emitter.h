// Generates SPIR-V from LLVM IR in another process, so that a crash of LLVM's code generator does
// not end this one.
#pragma once

#include <string>
#include <vector>

#include <hither/spirv_emitter.h>

namespace hither::emitter {

/// SPIR-V for LLVM assembly. `kernel` names it in messages. Blocking: one kernel at a time. Throws
/// Error kUnsupported if no emitter is set. Throws Error kCompile with the emitter's message if it
/// refuses the text, crashes twice or takes longer than kSeconds. Thread-safe, also after fork().
std::vector<char> emit_spirv(const std::string& text, const std::string& kernel);
inline constexpr int kSeconds = 300;

/// Identifies everything that the emitter's output depends on. Empty if no emitter is set.
std::string spirv_emitter_identity();

}  // namespace hither::emitter
