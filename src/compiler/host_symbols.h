// Functions of the running process that compiled kernels may call.
#pragma once

#include <string>

namespace hither::compiler {

/// Address of a function of libm, libmvec (where the C library has it) or of the few of libc that
/// code generation needs; null when there is none of this name. Never looks anywhere else, so that
/// no other library of the process can change what a kernel computes. Thread-safe.
void* find_host_symbol(const std::string& name);

}  // namespace hither::compiler
