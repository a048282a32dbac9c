#include "array/kernel_table.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <xxhash.h>

#include "array/record/work_recorder.h"
#include "compiler/compiler.h"
#include "profiling/ranges.h"
#include "profiling/record.h"
#include "runtime/kernel_state.h"

namespace hither::array {

namespace {

/// Intel's OpenCL keeps about half a MB for each of them, and for as many retired ones.
constexpr size_t kMaxKernels = 2048;

struct Entry {
  std::string key;  ///< the context's address, then the caller's key
  bool is(const void* context, std::string_view asked) const noexcept {
    return std::memcmp(key.data(), static_cast<const void*>(&context), sizeof context) == 0 &&
           std::string_view(key).substr(sizeof context) == asked;
  }
  Kernel kernel;  ///< keeps the context alive, so that its address stays unique
  std::string name, device;
};

struct KeyHash {
  using is_transparent = void;
  size_t operator()(std::string_view s) const noexcept { return XXH3_64bits(s.data(), s.size()); }
};

using Entries =
    std::unordered_map<std::string_view, std::unique_ptr<const Entry>, KeyHash, std::equal_to<>>;

// When the table is full it is retired as a whole, and kept until the next one is full. That is
// longer than any launch that found a kernel in it. The generation invalidates the pointers that
// threads remember.
struct Table {
  std::mutex mutex;
  Entries present, retired;
  std::atomic<uint64_t> generation{1};
};

Table& table() {
  static auto* instance =
      new Table;  // never destroyed: threads may submit during static destruction
  return *instance;
}

// Kernels that this thread launched recently, found without a lock.
struct Recent {
  static constexpr size_t kSlots = 256;
  uint64_t generation = 0;
  const Entry* slots[kSlots] = {};
};

ReadyKernel ready(const Entry& e, const char* source = "memory", double seconds = 0) {
  return {e.kernel, e.name, e.device, source, seconds};
}

const Entry& keep(std::unique_ptr<const Entry> made) {
  Table& t = table();
  std::lock_guard guard(t.mutex);
  if (auto found = t.present.find(made->key); found != t.present.end()) return *found->second;
  if (t.present.size() >= kMaxKernels) {
    t.retired = std::exchange(t.present, {});
    t.generation.fetch_add(1, std::memory_order_release);
  }
  const std::string_view key = made->key;
  return *(t.present[key] = std::move(made));
}

ReadyKernel find(const Queue& queue, std::string_view key,
                 llvm::function_ref<target::KernelModule()> make,
                 llvm::function_ref<std::string()> describe) {
  static thread_local Recent of_this_thread;
  Recent& recent = of_this_thread;
  const void* context = queue.context().state().get();
  Table& t = table();
  const uint64_t generation = t.generation.load(std::memory_order_acquire);
  if (recent.generation != generation) {
    std::ranges::fill(recent.slots, nullptr);
    recent.generation = generation;
  }
  const Entry*& slot = recent.slots[KeyHash{}(key) % Recent::kSlots];
  if (slot && slot->is(context, key)) return ready(*slot);
  std::string scoped(reinterpret_cast<const char*>(&context), sizeof context);
  scoped.append(key);
  {
    std::lock_guard guard(t.mutex);
    if (auto found = t.present.find(std::string_view(scoped)); found != t.present.end()) {
      slot = found->second.get();
      return ready(*slot);
    }
  }
  auto made = std::make_unique<Entry>();
  made->key = std::move(scoped);
  made->name = describe();
  const profiling::Range range("compile ", made->name);
  compiler::CacheOutcome outcome;
  auto image = compiler::compile_cached(key, runtime::target_of(queue.device()), make, &outcome);
  profiling::add_compilation(made->name, compiler::name_of(outcome.source), outcome.seconds);
  made->kernel = runtime::load_kernel(queue.context(), std::move(image));
  made->device = queue.device().filter_string();
  slot = &keep(std::move(made));
  return ready(*slot, compiler::name_of(outcome.source), outcome.seconds);
}

}  // namespace

ReadyKernel find_kernel(const Queue& queue, std::string_view key,
                        llvm::function_ref<target::KernelModule()> make,
                        llvm::function_ref<std::string()> describe) {
  const ReadyKernel kernel = find(queue, key, make, describe);
  if (WorkRecorder* const recorder = WorkRecorder::of_this_thread())
    recorder->found(kernel.kernel, key, make);
  return kernel;
}

}  // namespace hither::array
