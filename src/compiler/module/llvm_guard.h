// Where the rest of the library enters LLVM.
//
// LLVM is built without exceptions: when memory runs out in the middle of it, or when it meets what
// it calls a fatal error, it ends the process, or leaves locks and half-made objects behind. So
// room is queried for before it starts.
#pragma once

#include <new>
#include <utility>

namespace hither::compiler {

/// Throws Error kMemory where the process cannot map as much as LLVM may need, or where LLVM was
/// stopped by a lack of memory before. From the first call on, LLVM's own fatal errors are thrown
/// as Error kCompile.
void begin_llvm();
/// LLVM was stopped by a lack of memory: throws Error kMemory now and at each begin_llvm() to come.
[[noreturn]] void give_up_llvm();

/// Calls `work`, which uses LLVM. May be nested.
template <class Work>
auto with_llvm(Work&& work) {
  begin_llvm();
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    give_up_llvm();
  }
}

}  // namespace hither::compiler
