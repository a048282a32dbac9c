// Code for devices that take SPIR-V.
#pragma once

#include <string>

#include "compiler/compiler.h"
#include "compiler/module/machine_code.h"

namespace hither::compiler {

/// Runs every stage, the last one in another process (emitter/spirv_emitter.h). `arch` is a version
/// of SPIR-V, 1.0 to 1.6; empty means 1.4.
MachineCode compile_spirv(const target::KernelModule& source, const std::string& arch);
/// Text of a stage; kAssembly gives the SPIR-V binary.
std::string inspect_spirv(const target::KernelModule& source, const std::string& arch, Stage stage);

}  // namespace hither::compiler
