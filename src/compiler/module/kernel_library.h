// Kernels that were compiled to LLVM bitcode before the program ran: from C++, with device.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "target/signature.h"

namespace hither::compiler {

/// A kernel's parameter as its author wrote it.
struct LibraryParameter {
  target::Parameter kind = target::Parameter::kPointer;  ///< kLocalBytes: pointer to local memory
  std::string type;      ///< in IR: "ptr", "ptr addrspace(3)", "i1", "i32", "float", ...
  bool written = false;  ///< a pointer through which the kernel may write
};

struct LibraryKernel {
  std::string name;
  std::string body;  ///< the function's name in the library's code
  std::vector<LibraryParameter> parameters;
  bool has_groups = false;  ///< barriers, local memory or group functions
};

/// What a file of kernels holds, free of what its compiler knew of one machine.
struct KernelLibrary {
  std::string code;  ///< bitcode
  std::vector<LibraryKernel> kernels;
};

/// Reads bitcode or text of LLVM IR, as `clang -emit-llvm` writes it; kernels are the functions in
/// the section "hither.kernel" (HITHER_KERNEL). `where` names the file in messages. Throws Error
/// kCompile: not IR, newer than our LLVM, no kernels, parameters that kernels cannot have.
KernelLibrary read_library(std::string_view code, const std::string& where);

}  // namespace hither::compiler
