#include "drivers/native_cpu/blas_memory.h"

#include <algorithm>
#include <string>

#include <pthread.h>
#include <sys/mman.h>

#include <hither/error.h>

namespace hither::drivers::native_cpu {
namespace {

/// OpenBLAS's BUFFER_SIZE on x86-64 and ARM.
constexpr size_t kBufferBytes = size_t{32} << 20;
/// The library and its other allocations.
constexpr size_t kFileBytes = size_t{96} << 20;
constexpr size_t kCallBytes = size_t{4} << 20;

size_t stack_bytes() noexcept {
  size_t bytes = size_t{8} << 20;
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return bytes;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

/// Another thread may map the memory right afterwards, so the result is not a guarantee.
void check_room(size_t bytes) {
  void* const tried =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (tried == MAP_FAILED)
    throw Error(ErrorKind::kMemory, "matmul",
                "OpenBLAS needs " + std::to_string(bytes >> 20) +
                    " MiB of address space for the buffers and stacks of its threads, and the "
                    "process cannot map so much; release arrays, raise the limit (ulimit -v) or "
                    "use fewer CPUs");
  munmap(tried, bytes);
}

}  // namespace

void check_memory_to_open(int threads) {
  const auto count = static_cast<size_t>(std::max(threads, 1));
  check_room(kFileBytes + count * (kBufferBytes + stack_bytes()) + kBufferBytes);
}

void BlasBuffers::enter(bool takes_buffer, int callers) {
  const std::lock_guard lock(mutex_);
  if (callers_ + callers > mapped_) {
    check_room(static_cast<size_t>(callers) * (kBufferBytes + kCallBytes));
    if (takes_buffer) mapped_ = callers_ + callers;
  }
  callers_ += callers;
}

void BlasBuffers::leave(int callers) noexcept {
  const std::lock_guard lock(mutex_);
  callers_ -= callers;
}

}  // namespace hither::drivers::native_cpu
