// SPIR-V from LLVM IR, by another process: a fault of its code generator must not end ours.
#pragma once

#include <string>
#include <vector>

#include <hither/spirv_emitter.h>

namespace hither::emitter {

/// SPIR-V for LLVM assembly. `kernel` stands for it in messages. Blocking: one kernel at a time.
/// Errors: kUnsupported when no emitter is named, kCompile with the emitter's words when it refuses
/// the text, dies of it twice or takes longer than kSeconds. Thread-safe, also after fork().
std::vector<char> emit_spirv(const std::string& text, const std::string& kernel);
inline constexpr int kSeconds = 300;

/// What the emitter's output depends on; empty when none is named.
std::string spirv_emitter_identity();

}  // namespace hither::emitter
