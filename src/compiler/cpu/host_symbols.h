// Functions of the process that compiled kernels may call.
#pragma once

#include <string>

namespace hither::compiler {

/// Opens libm once in a process. Throws Error kMemory or kDevice if memory or file descriptors run
/// out. Thread-safe. Called before LLVM starts, because no exception may pass through LLVM.
void open_host_libraries();

/// The address of a function of libm, of SLEEF or of the few functions of libc that code generation
/// needs. Null for other names. No other library is searched, so that
/// other libraries of the process cannot change the results of a kernel. Thread-safe. Throws as
/// open_host_libraries() does, if that has not been called before.
void* find_host_symbol(const std::string& name);

}  // namespace hither::compiler
