// Kernels that were compiled to LLVM bitcode before the program runs, from C++ with device.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "target/signature.h"

namespace hither::compiler {

/// A kernel's parameter in the C++ source.
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

/// The kernels of one file, without attributes of the machine that they were compiled for.
struct KernelLibrary {
  std::string code;  ///< bitcode
  std::vector<LibraryKernel> kernels;
};

/// Reads bitcode or text of LLVM IR, as `clang -emit-llvm` writes it. Kernels are the functions in
/// the section "hither.kernel" (HITHER_KERNEL). `where` names the file in messages. Throws Error
/// kCompile if the code is not IR, is newer than hither's LLVM, has no kernels, or has kernels with
/// unsupported parameters.
KernelLibrary read_library(std::string_view code, const std::string& where);

}  // namespace hither::compiler
