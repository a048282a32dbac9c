#include <chrono>

#include <hither/error.h>

#include "compiler/code_bytes.h"
#include "compiler/code_targets.h"
#include "compiler/compiler.h"
#include "compiler/kernel_cache.h"
#include "compiler/module/llvm_guard.h"
#include "counting/counter.h"
#include "disk_cache/disk_cache.h"
#include "process/before_blocking.h"
#include "process/interruption.h"
#include "target/interrupted.h"

namespace hither::compiler {
namespace {

using Image = std::shared_ptr<const target::CodeImage>;

/// Never destroyed: events may hold images until the process ends.
KernelCache& process_cache() {
  constexpr size_t kCapacity = 4096;
  static auto* const cache = new KernelCache(kCapacity);
  return *cache;
}

Image load_from_disk(const std::string& key) {
  auto bytes = disk_cache::DiskCache::process().load(key);
  auto code = bytes ? from_bytes(*bytes) : std::nullopt;
  if (!code) return nullptr;
  try {
    return std::make_shared<const target::CodeImage>(load_code(std::move(*code)));
  } catch (const Error&) {  // a damaged entry is a miss
    return nullptr;
  }
}

Image compile_and_keep(const target::KernelModule& module, const target::Target& target,
                       const std::string& key) {
  MachineCode code = generate_code(module, target);
  const std::string bytes = to_bytes(code);
  auto image = std::make_shared<const target::CodeImage>(load_code(std::move(code)));
  disk_cache::DiskCache::process().store(key, bytes);
  return image;
}

}  // namespace

std::shared_ptr<const target::CodeImage> compile_cached(
    std::string_view key, const target::Target& target,
    const std::function<target::KernelModule()>& make, CacheOutcome* outcome, bool on_disk) {
  auto start = std::chrono::steady_clock::now();
  auto source = CacheOutcome::kCompiled;
  const auto load_or_compile = [&]() -> Image {
    if (!on_disk) return std::make_shared<const target::CodeImage>(compile(make(), target));
    std::string full_key = disk_key(key, target);
    if (Image image = load_from_disk(full_key)) {
      source = CacheOutcome::kDisk;
      return image;
    }
    return compile_and_keep(make(), target, full_key);
  };
  bool is_interrupted = false;
  const auto work = [&] {
    process::before_blocking();
    const process::InterruptibleWait wait(process::InterruptibleWait::For::kCompilation);
    Image image = load_or_compile();
    is_interrupted = wait.is_interrupted();
    return image;
  };
  auto found = process_cache().get(key, target, [&] { return with_llvm(work); });
  if (is_interrupted)  // the image is kept for the next call
    throw target::interrupted(
        "compile", "Ctrl-C (SIGINT) came before the kernel was launched; compute the value again");
  if (found.in_memory) source = CacheOutcome::kMemory;
  if (source != CacheOutcome::kCompiled) counting::count(counting::Counter::kCacheHits);
  if (outcome)
    *outcome = {source,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  return std::move(found.image);
}

}  // namespace hither::compiler
