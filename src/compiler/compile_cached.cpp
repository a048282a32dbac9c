#include <chrono>

#include "compiler/compiler.h"
#include "compiler/kernel_cache.h"
#include "counting/counter.h"

namespace hither::compiler {
namespace {

/// Never destroyed: events may hold images until the process ends.
KernelCache& process_cache() {
  constexpr size_t kCapacity = 4096;
  static auto* const cache = new KernelCache(kCapacity);
  return *cache;
}

}  // namespace

std::shared_ptr<const target::CodeImage> compile_cached(
    std::string_view key, const target::Target& target,
    const std::function<target::KernelModule()>& make, CacheOutcome* outcome, bool on_disk) {
  auto start = std::chrono::steady_clock::now();
  auto found = process_cache().get(key, target, [&] {
    return std::make_shared<const target::CodeImage>(compile(make(), target));
  });
  if (found.in_memory) counting::count(counting::Counter::kCacheHits);
  if (outcome) {
    outcome->source = found.in_memory ? CacheOutcome::kMemory : CacheOutcome::kCompiled;
    outcome->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  static_cast<void>(on_disk);
  return std::move(found.image);
}

}  // namespace hither::compiler
