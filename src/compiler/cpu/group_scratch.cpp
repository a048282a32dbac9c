#include "compiler/cpu/group_scratch.h"

#include <memory>
#include <new>

namespace hither::compiler {
namespace {

constexpr std::align_val_t kAlign{64};
struct Free {
  void operator()(void* memory) const noexcept { ::operator delete(memory, kAlign); }
};

}  // namespace

void* group_scratch(size_t bytes) noexcept {
  static thread_local std::unique_ptr<void, Free> memory;
  static thread_local size_t size = 0;
  if (bytes > size) {
    memory.reset();
    memory.reset(::operator new(bytes, kAlign));
    size = bytes;
  }
  return memory.get();
}

}  // namespace hither::compiler
