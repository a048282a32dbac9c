// Serialisation of compiled code for the disk cache.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/module/machine_code.h"

namespace hither::compiler {

std::string to_bytes(const MachineCode& code);
/// Empty for bytes that to_bytes of this version did not write.
std::optional<MachineCode> from_bytes(std::string_view bytes);

/// The key under which the disk cache keeps the code of `key`. Besides `key` it holds everything
/// else that the code depends on: hither's sources and the target's identity (the CPU or device
/// architecture, the versions of LLVM and of the libraries that the code uses).
std::string disk_key(std::string_view key, const target::Target& target);

}  // namespace hither::compiler
