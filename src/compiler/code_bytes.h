// Compiled code as bytes, for the disk.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/module/machine_code.h"

namespace hither::compiler {

std::string to_bytes(const MachineCode& code);
/// Nothing for bytes that to_bytes of this version did not write.
std::optional<MachineCode> from_bytes(std::string_view bytes);

/// The key under which the disk cache keeps the code of `key`: everything that it depends on
/// besides: the CPU, LLVM, the C library and what vector functions it has, or SPIR-V's version and
/// emitter; and our own sources.
std::string disk_key(std::string_view key, const target::Target& target);

}  // namespace hither::compiler
