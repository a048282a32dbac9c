#include "compiler/module/llvm_guard.h"

#include <atomic>
#include <cstdlib>
#include <string>

#include <llvm/Support/ErrorHandling.h>
#include <sys/mman.h>

#include <hither/error.h>

#include "process/fault_point.h"

namespace hither::compiler {
namespace {

/// Most kernels need less than 4 MiB, the largest need about twice this size.
constexpr size_t kRoomBytes = size_t{64} << 20;

std::atomic<bool> was_stopped{false};

bool install_handlers() {
  (void)std::atexit(&process::InsideLibrary::close);
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
  llvm::install_fatal_error_handler([](void*, const char* reason, bool) {
    throw Error(ErrorKind::kCompile, "LLVM", std::string("fatal error: ") + reason);
  });
  return true;
}

}  // namespace

void begin_llvm() {
  static const bool installed = install_handlers();
  (void)installed;
  if (was_stopped.load(std::memory_order_relaxed)) give_up_llvm();
  void* const tried = mmap(nullptr, kRoomBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tried != MAP_FAILED) munmap(tried, kRoomBytes);
  if (tried == MAP_FAILED || process::fails_here(process::Fault::kCompile))
    throw Error(ErrorKind::kMemory, "compiler",
                "compiling a kernel may need " + std::to_string(kRoomBytes >> 20) +
                    " MiB of address space, which the process cannot map; release arrays or "
                    "raise the limit (ulimit -v)");
}

void give_up_llvm() {
  was_stopped.store(true, std::memory_order_relaxed);
  throw Error(ErrorKind::kMemory, "compiler",
              "memory ran out while a kernel was being compiled; LLVM cannot recover from this, so "
              "the process compiles no more kernels; start a new one with more memory");
}

}  // namespace hither::compiler
