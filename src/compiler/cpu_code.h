// A kernel compiled for a CPU, before it is mapped into a process.
#pragma once

#include <string>
#include <vector>

#include "target/code_image.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// What the disk cache keeps.
struct CpuCode {
  target::CodeImage image;   ///< without entry and owner
  std::vector<char> object;  ///< relocatable object file that defines kCpuEntryName
};

/// Runs every stage up to the object file.
CpuCode compile_cpu(const target::KernelModule& source, const std::string& arch);
/// Maps the code into this process.
target::CodeImage load_cpu(const CpuCode& code);

}  // namespace hither::compiler
