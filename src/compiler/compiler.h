// The compiler's interface: a kernel module goes in, a code image comes out.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/module/code_target.h"
#include "target/code_image.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Verifies, links, optimises and generates code for one target. Blocking, thread-safe. No lock is
/// held while LLVM works, with one exception (cpu/interleaved_accesses.h). Throws Error kCompile
/// with the message of the verifier or of LLVM.
target::CodeImage compile(const target::KernelModule& module, const target::Target& target);

/// Checks the rules for kernel modules (design.md 5.3). Throws Error kCompile with the broken rule
/// and its location. compile() calls it first.
void verify(const target::KernelModule& module);

/// Text of a stage, for inspect_llvm, inspect_asm and tests.
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

/// The compiled code for `key`. It is looked up in memory and then on the disk. Otherwise this
/// thread calls `make()` and compiles its result, once per key even if several threads ask. Keys
/// are compared in full. `make` may throw: then every waiting thread gets the error, and nothing is
/// cached. If `on_disk` is false, the code is cached in memory only. The image stays alive as long
/// as the caller holds it.
std::shared_ptr<const target::CodeImage> compile_cached(
    std::string_view key, const target::Target& target,
    const std::function<target::KernelModule()>& make, CacheOutcome* outcome = nullptr,
    bool on_disk = true);

/// Bytes that identify a module from outside hither: a hash of its code without names, and its
/// options. For front ends that have no key of their own.
std::string module_key(const target::KernelModule& module);

}  // namespace hither::compiler
