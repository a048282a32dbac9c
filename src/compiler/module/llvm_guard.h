// Guard around all uses of LLVM.
//
// LLVM is built without exceptions. If it runs out of memory or finds a fatal error, it ends the
// process, or leaves locks and incomplete objects behind. Therefore hither checks that memory is
// available before LLVM starts. Exit waits for the threads in LLVM, because it destroys LLVM's
// options, which a compilation reads.
#pragma once

#include <new>
#include <utility>

#include "process/exit_gate.h"

namespace hither::compiler {

/// Throws Error kMemory if the process cannot map as much memory as LLVM may need, or if LLVM has
/// run out of memory before. After the first call, LLVM's fatal errors are thrown as Error
/// kCompile.
void begin_llvm();
/// Records that LLVM ran out of memory. Throws Error kMemory, as each later begin_llvm() does.
[[noreturn]] void give_up_llvm();

/// Calls `work`, which uses LLVM. Calls may be nested.
template <class Work>
auto with_llvm(Work&& work) {
  const process::InsideLibrary inside;
  begin_llvm();
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    give_up_llvm();
  }
}

}  // namespace hither::compiler
