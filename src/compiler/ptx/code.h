// Code for CUDA devices.
#pragma once

#include <string>

#include "compiler/compiler.h"
#include "compiler/module/machine_code.h"

namespace hither::compiler {

/// Runs every stage; the bytes are PTX text without a zero behind it. `arch` is "sm_90" and its
/// like (ptx_machine.h).
MachineCode compile_ptx(const target::KernelModule& source, const std::string& arch);
/// Text of a stage.
std::string inspect_ptx(const target::KernelModule& source, const std::string& arch, Stage stage);

}  // namespace hither::compiler
