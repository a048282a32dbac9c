#include "array/kernel_table.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "compiler/compiler.h"
#include "runtime/kernel_state.h"

namespace hither::array {

namespace {

constexpr size_t kMaxKernels = 8192;

struct KeyHash {
  using is_transparent = void;
  size_t operator()(std::string_view s) const noexcept { return XXH3_64bits(s.data(), s.size()); }
};

struct Table {
  std::shared_mutex mutex;
  std::unordered_map<std::string, ReadyKernel, KeyHash, std::equal_to<>> kernels;
};

Table& table() {
  static auto* instance = new Table;  // outlives every thread that may still submit
  return *instance;
}

const char* text_of(compiler::CacheOutcome::Source source) {
  switch (source) {
    case compiler::CacheOutcome::kMemory: return "memory";
    case compiler::CacheOutcome::kDisk: return "disk";
    default: return "compiled";
  }
}

}  // namespace

ReadyKernel find_kernel(const Queue& queue, std::string_view key,
                        const std::function<target::KernelModule()>& make,
                        const std::function<std::string()>& describe) {
  // The loaded kernel belongs to a context, which it keeps alive: its address names it here.
  thread_local std::string scoped;
  const void* context = queue.context().state().get();
  scoped.assign(reinterpret_cast<const char*>(&context), sizeof context);
  scoped.append(key);
  Table& t = table();
  {
    std::shared_lock guard(t.mutex);
    if (auto found = t.kernels.find(std::string_view(scoped)); found != t.kernels.end())
      return found->second;
  }
  compiler::CacheOutcome outcome;
  auto image = compiler::compile_cached(key, runtime::target_of(queue.device()), make, &outcome);
  ReadyKernel ready;
  ready.kernel = runtime::load_kernel(queue.context(), std::move(image));
  ready.name = std::make_shared<const std::string>(describe());
  {
    std::unique_lock guard(t.mutex);
    if (t.kernels.size() >= kMaxKernels) t.kernels.clear();
    t.kernels.emplace(scoped, ready);
  }
  ready.source = text_of(outcome.source);
  ready.compile_seconds = outcome.seconds;
  return ready;
}

}  // namespace hither::array
