// Functions of the running process that compiled kernels may call.
#pragma once

#include <string>
#include <string_view>

namespace hither::compiler {

/// Opens libm and libmvec, once in a process. Throws Error kMemory or kDevice where the process had
/// no memory or no file descriptor left for them: code that falls back to libm has other bits, so
/// none may be made for such a reason. Thread-safe; called before LLVM starts, which is no place to
/// throw in.
void open_host_libraries();

/// What the vector functions of kernels come from, for keys of compiled code: "libmvec.so.1", or
/// "none" where the C library has no such file. Throws as open_host_libraries() does.
std::string_view vector_math_variant();

/// Address of a function of libm, libmvec (where the C library has it) or of the few of libc that
/// code generation needs; null when there is none of this name. Never looks anywhere else, so that
/// no other library of the process can change what a kernel computes. Thread-safe. Throws as
/// open_host_libraries() does, if that was not called before.
void* find_host_symbol(const std::string& name);

}  // namespace hither::compiler
