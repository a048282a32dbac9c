// A compiled kernel, before it is mapped into a process or given to a driver.
#pragma once

#include <vector>

#include "target/code_image.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// The compiled code as the disk cache stores it.
struct MachineCode {
  target::CodeImage image;  ///< without entry, owner and bytes
  std::vector<char> bytes;  ///< CPU: a relocatable object file that defines kCpuEntryName; SPIR-V;
                            ///< PTX text
};

/// The image of code that the driver loads from its bytes.
inline target::CodeImage image_of_bytes(MachineCode code) {
  code.image.bytes = std::move(code.bytes);
  return std::move(code.image);
}

}  // namespace hither::compiler
