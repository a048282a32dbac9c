// Functions of the process that compiled kernels may call.
#pragma once

#include <string>
#include <string_view>

namespace hither::compiler {

/// Opens libm and libmvec once in a process. Throws Error kMemory or kDevice if memory or file
/// descriptors run out. In that case no code may be compiled, because code that falls back to libm
/// computes other bits. Thread-safe. Called before LLVM starts, because no exception may pass
/// through LLVM.
void open_host_libraries();

/// The library of vector functions, for keys of compiled code: "libmvec.so.1", or "none" if the C
/// library has no such file. Throws as open_host_libraries() does.
std::string_view vector_math_variant();

/// The address of a function of libm, of libmvec (if the C library has it) or of the few functions
/// of libc that code generation needs. Null for other names. No other library is searched, so that
/// other libraries of the process cannot change the results of a kernel. Thread-safe. Throws as
/// open_host_libraries() does, if that has not been called before.
void* find_host_symbol(const std::string& name);

}  // namespace hither::compiler
