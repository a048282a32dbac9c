// A compiled kernel, before it is mapped into a process or given to a driver.
#pragma once

#include <string>
#include <vector>

#include "target/code_image.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// What the disk cache keeps.
struct MachineCode {
  target::CodeImage image;  ///< without entry, owner and bytes
  std::vector<char> bytes;  ///< CPU: a relocatable object file that defines kCpuEntryName; SPIR-V;
                            ///< PTX text
};

/// Runs every stage.
MachineCode generate_code(const target::KernelModule& source, const target::Target& target);
/// Maps CPU code into this process.
target::CodeImage load_code(MachineCode code);

}  // namespace hither::compiler
