// Machine code of an optimised module.
#pragma once

#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "compiler/cpu/machine.h"

namespace hither::compiler {

/// A relocatable object file. Changes the module.
std::vector<char> emit_object(llvm::Module& module, const CpuMachine& machine);
/// Assembly text. Changes the module.
std::string emit_assembly(llvm::Module& module, const CpuMachine& machine);

}  // namespace hither::compiler
