#include "launch/function_memory.h"

#include <algorithm>
#include <new>

#include <hither/error.h>
#include <hither/memory.h>

#include "launch/offload_call.h"
#include "runtime/memory_state.h"

namespace hither::launch {
namespace {

/// Larger blocks come from a pool, because the system would provide them page by page.
constexpr size_t kSmallBytes = 16 << 10;

// The owner of a block is stored directly before its data.
char* owner_of(void* data) noexcept { return static_cast<char*>(data) - sizeof(Memory); }

}  // namespace

bool host_allocates(size_t bytes) noexcept {
  return bytes < kSmallBytes && !OffloadCall::makes_usm() &&
         runtime::shares_memory_with_host(OffloadCall::current_queue());
}

void* allocate_for_function(size_t bytes, size_t alignment) noexcept {
  const size_t lead = std::max<size_t>(alignment, 64);
  static_assert(sizeof(Memory) <= 64);
  try {
    Memory memory(OffloadCall::current_queue(), lead + bytes, UsmType::kShared, lead);
    char* data = static_cast<char*>(memory.data()) + lead;
    new (owner_of(data)) Memory(std::move(memory));
    return data;
  } catch (const std::exception&) {
    return nullptr;  // Numba raises MemoryError
  }
}

void free_of_function(void* data) noexcept {
  auto* owner = std::launder(reinterpret_cast<Memory*>(owner_of(data)));
  const Memory memory = std::move(*owner);
  owner->~Memory();
}

}  // namespace hither::launch
