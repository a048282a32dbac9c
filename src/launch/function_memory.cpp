#include "launch/function_memory.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <hither/error.h>
#include <hither/memory.h>

#include "launch/offload_call.h"
#include "runtime/memory_state.h"

namespace hither::launch {
namespace {

/// Larger blocks come from a pool, because the system would provide them page by page.
constexpr size_t kSmallBytes = 16 << 10;

/// The owners of arrays by the addresses of their data. They are not in the memory: the host would
/// fetch a page of a GPU's shared memory for each array.
class Owners {
 public:
  void put(void* data, Memory memory) {
    std::lock_guard guard(mutex_);
    owners_.insert_or_assign(data, std::move(memory));
  }
  Memory take(void* data) {
    std::lock_guard guard(mutex_);
    auto node = owners_.extract(data);
    return node ? std::move(node.mapped()) : Memory();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<void*, Memory> owners_;
};

Owners& owners() {
  static auto* instance = new Owners;  // never destroyed: arrays may live until the process ends
  return *instance;
}

}  // namespace

bool host_allocates(size_t bytes) noexcept {
  return bytes < kSmallBytes && !OffloadCall::makes_usm() &&
         runtime::shares_memory_with_host(OffloadCall::current_queue());
}

void* allocate_for_function(size_t bytes, size_t alignment) noexcept {
  try {
    Memory memory(OffloadCall::current_queue(), std::max<size_t>(bytes, 1), UsmType::kShared,
                  std::max<size_t>(alignment, 64));
    void* data = memory.data();
    owners().put(data, std::move(memory));
    return data;
  } catch (const std::exception&) {
    return nullptr;  // Numba raises MemoryError
  }
}

void free_of_function(void* data) noexcept { const Memory memory = owners().take(data); }

}  // namespace hither::launch
