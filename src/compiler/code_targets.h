// Code generation for any target.
#pragma once

#include <string>

#include "compiler/module/code_target.h"

namespace hither::compiler {

/// Runs every stage.
MachineCode generate_code(const target::KernelModule& source, const target::Target& target);
/// Makes an image that drivers can load; maps code for CPUs into this process.
target::CodeImage load_code(MachineCode code);
/// The code target of a kind. Throws Error kInternal for a kind that is not listed.
const CodeTarget& code_target(target::TargetKind kind);

}  // namespace hither::compiler
