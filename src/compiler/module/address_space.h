// The address spaces of kernel modules. The numbers are LLVM's for OpenCL and CUDA.
#pragma once

namespace hither::compiler {

inline constexpr unsigned kGeneric = 0;
inline constexpr unsigned kGlobal = 1;
inline constexpr unsigned kLocal = 3;

}  // namespace hither::compiler
