// Kernel module in, code image out.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/module/code_target.h"
#include "target/code_image.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Verifies, links, optimises and generates code for one target. Blocking, thread-safe; takes no
/// lock of its own while LLVM works (interleaved_accesses.h is the exception). Throws Error
/// kCompile with the verifier's or LLVM's words.
target::CodeImage compile(const target::KernelModule& module, const target::Target& target);

/// What must hold for a module (design.md 5.3); throws Error kCompile saying which rule is broken
/// and where. compile() calls it first.
void verify(const target::KernelModule& module);

/// Text of a stage, for inspect_llvm / inspect_asm and tests.
std::string inspect(const target::KernelModule& module, const target::Target& target, Stage stage);

struct CacheOutcome {
  enum Source : uint8_t { kMemory, kDisk, kCompiled } source = kMemory;
  double seconds = 0;
};
constexpr const char* name_of(CacheOutcome::Source source) noexcept {
  return source == CacheOutcome::kMemory ? "memory"
         : source == CacheOutcome::kDisk ? "disk"
                                         : "compiled";
}

/// The compiled code for `key`: from memory, else from the disk, else `make()` is called (on this
/// thread) and compiled, once per key however many threads ask. Keys are compared in full. `make`
/// may throw: every waiting thread gets the error and nothing is kept. `on_disk` false keeps the
/// entry in memory alone. The image stays alive as long as the caller keeps it.
std::shared_ptr<const target::CodeImage> compile_cached(
    std::string_view key, const target::Target& target,
    const std::function<target::KernelModule()>& make, CacheOutcome* outcome = nullptr,
    bool on_disk = true);

/// Bytes that identify a module made outside (hash of its code, names stripped, and its options),
/// for front ends that have no key of their own.
std::string module_key(const target::KernelModule& module);

}  // namespace hither::compiler
